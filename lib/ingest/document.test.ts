import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Contract } from "../../contract/contract.ts";
import { NumberText } from "../../contract/decimal.ts";
import { readDocument } from "./document.ts";
import { readContractText, readPolicyText } from "./read-documents.ts";
import { jsonText } from "./write-stream.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function valueIn(text: string): unknown {
  const read = readDocument(text, "file");
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.value;
}
function problemsOf(text: string) {
  const read = readDocument(text, "file");
  return read.ok ? [] : read.problems;
}

describe("values (§1.4)", () => {
  test.each(["1e400", "-0", "5.0", "1.00000000000000001", "1e99999999999", "123456789012345678901234567890"])(
    "the number %s keeps its text",
    (text) => {
      expect(valueIn(text)).toEqual(new NumberText(text));
      expect(valueIn(`{"a": [${text} ]}`)).toMatchObject({ a: [{ text }] });
    },
  );

  test("__proto__ and constructor are keys like any other", () => {
    const value = valueIn('{"__proto__": {"a": 1}, "constructor": 2}') as object;
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
  });

  test("any JSON comes out as JSON.parse has it, whatever its layout", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, "\t", " \r\n"), (json, space) => {
        const text = JSON.stringify(JSON.parse(json), null, space as number);
        expect(JSON.parse(jsonText(valueIn(text)))).toEqual(JSON.parse(text));
      }),
      { numRuns: 1000 },
    );
  });

  test("escapes of every kind, and the backslashes before a quote", () => {
    const text = String.raw`["\"", "\\", "\\\"", "a\\\\", "\u00e9\ud83d\ude00\/", "\n"]`;
    expect(valueIn(text)).toEqual(JSON.parse(text));
  });

  test("numbers keep their text, everything else is as JSON.parse has it", () => {
    expect(valueIn('\uFEFF [true, false, null, "", {}, [], 1E+2]')).toEqual([
      true,
      false,
      null,
      "",
      {},
      [],
      new NumberText("1E+2"),
    ]);
  });
});

describe("what is no JSON is refused with its place", () => {
  test.each([
    ["NaN", "[\n NaN]", 2],
    ["a comment", "[1, // one\n 2]", 1],
    ["a trailing comma", '{"a": 1,\n}', 2],
    ["a second document", "{}\n{}", 2],
    ["single quotes", "{'a': 1}", 1],
    ["a leading zero", "[\n\n01]", 3],
    ["a control character in a string", '["a\tb"]', 1],
    ["a second BOM", "\uFEFF\uFEFF{}", 1],
    ["cut off", '{"a":\n[1', 2],
  ])("%s", (_, text, line) => {
    expect(problemsOf(text)).toEqual([
      { file: "file", line, path: "", message: expect.stringContaining("is no JSON") },
    ]);
  });

  test.each(["", "\uFEFF", " \r\n\t"])("an empty file is called empty: %j", (text) => {
    expect(problemsOf(text)[0]?.message).toMatch(/is empty/);
  });

  test("each repeated key is told with its line and path", () => {
    expect(problemsOf('{"a": 1,\n "b": [{"c": 1,\n "c": 2}],\n "a": 3}')).toEqual([
      { file: "file", line: 3, path: "b[0].c", message: expect.stringContaining("twice") },
      { file: "file", line: 4, path: "a", message: expect.stringContaining("twice") },
    ]);
  });

  test("the same key written by an escape is the same key", () => {
    expect(problemsOf('{"a": 1, "\\u0061": 2}')).toHaveLength(1);
  });

  test.each([
    ["lists", (depth: number) => "[".repeat(depth) + "]".repeat(depth)],
    ["objects", (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`],
    ["lists that never end", (depth: number) => "[".repeat(depth)],
  ])("%s in each other do not overflow the stack", (_, nest) => {
    for (const depth of [2_000, 1_000_000]) expect(problemsOf(nest(depth))).toHaveLength(1);
  });

  test("a long key over many values, and many values, take time by their length only", () => {
    const start = performance.now();
    valueIn(`{"${"k".repeat(500_000)}": [${"0,".repeat(500_000)}0]}`);
    expect(problemsOf(`{${'"a":1,'.repeat(300_000)}"a":1}`)).toHaveLength(100);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

test("lineOf finds fields, also where keys hold dots, brackets and numbers", () => {
  const read = readDocument('{\n"a.b": {"c": 1},\n"a": {\n"b": 2, "2":\n3, "1": [\n4,\n[5]]}}', "file");
  if (!read.ok) throw new Error("refused");
  const lines = [
    "",
    "a.b",
    "a.b.c",
    "a.b",
    "a",
    "a.2",
    "a.1",
    "a.1[0]",
    "a.1[1][0]",
    "a.1[2]",
    "z",
    "a.b[0]",
  ];
  expect(lines.map(read.value.lineOf)).toEqual([
    1,
    2,
    undefined,
    2,
    3,
    4,
    5,
    6,
    7,
    undefined,
    undefined,
    undefined,
  ]);
});

const CONTRACT = `{
  "version": 1,
  "total_ceiling_per_sec": 10,
  "epoch_ms": 1000,
  "grace_ms": 5.0,
  "group_by": "epoch",
  "refill": "snapshot",
  "tiers": [{"name": "gold", "guaranteed": false}]
}`;

function contract(): Contract {
  const read = readContractText(bytes(CONTRACT), "contract.json");
  if (!read.ok) throw new Error("refused");
  return read.value;
}

describe("contract and policy texts (§1.1, §1.2)", () => {
  test("a sound contract is read, 5.0 as an integer", () => {
    expect(contract()).toMatchObject({ grace_ms: 5, total_ceiling_per_sec: "10" });
  });

  test.each([
    ['"version": 1', '"version": "1"', "version", 2],
    ['"epoch_ms": 1000', '"epoch_ms": 1e400', "epoch_ms", 4],
    ['"grace_ms": 5.0', '"grace_ms": 5.0,\n  "__proto__": {}', "__proto__", 6],
    ['"guaranteed": false', '"guaranteed": null', "tiers[0].guaranteed", 8],
    ['"guaranteed": false', '"guaranteed": false, "constructor": 1', "tiers[0].constructor", 8],
    ['"name": "gold", ', "", "tiers[0].name", 8],
    ['"name": "gold"', '"name": "\\ud800"', "tiers[0].name", 8],
    ['  "refill": "snapshot",\n', "", "refill", 1],
  ])("%s as %s is a problem at %s, line %i", (from, to, path, line) => {
    const read = readContractText(bytes(CONTRACT.replace(from, to)), "contract.json");
    expect(read).toEqual({
      ok: false,
      problems: [{ file: "contract.json", path, line, message: expect.any(String) }],
    });
  });

  test("rules that span fields have their lines too", () => {
    const policy = `{"tenants": [
      {"tenant": "a", "tier": "gold", "capacity": 1, "rate_per_sec": 1, "ceiling_units": 1},
      {"tenant": "b", "tier": "tin", "capacity": 1, "rate_per_sec": 1,
       "ceiling_units": 0.5}],
      "denylist": ["x",
      "x"]}`;
    const read = readPolicyText(bytes(policy), contract(), "policy.json");
    expect(read.ok ? [] : read.problems.map(({ path, line }) => [path, line])).toEqual([
      ["tenants[1].tier", 3],
      ["tenants[1].ceiling_units", 4],
      ["denylist[1]", 6],
    ]);
  });

  test.each([
    ["no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), /no UTF-8/],
    ["an encoded surrogate", new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), /no UTF-8/],
    ["0 bytes", new Uint8Array(), /is empty/],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), /no UTF-8/],
    ["zeros", new Uint8Array(100), /no JSON/],
  ])("%s is a clear problem", (_, content, message) => {
    for (const read of [readContractText(content, "f"), readPolicyText(content, contract(), "f")])
      expect(read).toMatchObject({
        ok: false,
        problems: [{ file: "f", path: "", message: expect.stringMatching(message) }],
      });
  });
});
