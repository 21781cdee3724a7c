import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RowTable } from "./row-table.ts";
import { readRows } from "./stream.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const row = (changes: Record<string, unknown> = {}): string =>
  JSON.stringify({ req_id: "r", tenant: "t", arrival_ms: 1, cost: 2, mode: "soft", ...changes });
/** A good line in which one field is replaced by a text as it stands. */
const raw = (field: string, text: string): string => row({ [field]: "@@" }).replace('"@@"', () => text);

/** The rows of a table as objects. */
const listed = (table: RowTable) =>
  Array.from({ length: table.count }, (_, row) => ({
    req_id: table.idText(row),
    tenant: table.tenantName(row),
    arrival_ms: table.arrival_ms[row]!,
    cost: BigInt(table.cost_micro[row]!),
    soft: table.soft[row] === 1,
  }));

async function read(bytes: Uint8Array, sizes: Iterable<number> = [bytes.length]) {
  async function* chunks() {
    let at = 0;
    for (const size of sizes) {
      yield bytes.slice(at, at + size);
      at += size;
    }
    if (at < bytes.length) yield bytes.slice(at);
  }
  const { rows, skipped } = await readRows(chunks(), () => {});
  return { rows: listed(rows), skipped };
}
const readText = (text: string) => read(bytesOf(text));

describe("bad lines (§1.3, §1.4)", () => {
  test.each([
    ["not JSON", "rubbish", ""],
    ["a list", "[]", ""],
    ["a string", '"x"', ""],
    ["an empty object", "{}", "req_id"],
    ["an object that does not end", row().slice(0, -1), ""],
    ["a string that does not end", '{"req_id":"r', ""],
    ["a trailing comma", `${row().slice(0, -1)},}`, ""],
    ["something after the object", `${row()} x`, ""],
    ["two objects", `${row()}${row({ req_id: "s" })}`, ""],
    ["a form feed", "\f", ""],
    ["a no-break space", "\u00a0", ""],
    ["NUL bytes", "\0\0\0", ""],
    ["single quotes", "{'req_id':'r'}", ""],
    ["a key without quotes", '{req_id:"r"}', ""],
    ["a comment", `${row()}//`, ""],
    ["an unknown field", row({ extra: 1 }), "extra"],
    ["an unknown field called __proto__", `{"__proto__":1,${row().slice(1)}`, "__proto__"],
    ["a missing field", '{"req_id":"r","tenant":"t","arrival_ms":1,"cost":2}', "mode"],
    ["a key twice", `{"cost":2,${row().slice(1)}`, "cost"],
    ["a key twice, once escaped", `{"c\\u006fst":2,${row().slice(1)}`, "cost"],
    ["a name that is null", row({ req_id: null }), "req_id"],
    ["a name that is a number", row({ req_id: 1 }), "req_id"],
    ["an empty name", row({ req_id: "" }), "req_id"],
    ["a tenant that is true", row({ tenant: true }), "tenant"],
    ["a tenant that is null", row({ tenant: null }), "tenant"],
    ["the template", row({ tenant: "*" }), "tenant"],
    ["the template, escaped", raw("tenant", '"\\u002a"'), "tenant"],
    ["a name of 257 bytes", row({ req_id: "x".repeat(257) }), "req_id"],
    ["a name of 86 letters and 258 bytes", row({ req_id: "€".repeat(86) }), "req_id"],
    ["an escaped control character", raw("req_id", '"a\\nb"'), "req_id"],
    ["an escaped NUL", raw("req_id", '"a\\u0000b"'), "req_id"],
    ["the last control character but DEL, escaped", raw("req_id", '"a\\u001fb"'), "req_id"],
    ["a DEL", row({ req_id: "a\u007fb" }), "req_id"],
    ["a tab in a string", raw("req_id", '"a\tb"'), ""],
    ["a lone high surrogate", raw("req_id", '"a\\ud800b"'), "req_id"],
    ["a lone low surrogate", raw("tenant", '"\\udc00"'), "tenant"],
    ["surrogates the wrong way round", raw("tenant", '"\\udc00\\ud800"'), "tenant"],
    ["an unknown escape", raw("req_id", '"a\\x41"'), ""],
    ["a broken \\u", raw("req_id", '"\\u12g4"'), ""],
    ["arrival in quotes", raw("arrival_ms", '"1"'), "arrival_ms"],
    ["arrival null", raw("arrival_ms", "null"), "arrival_ms"],
    ["arrival with more digits than any", raw("arrival_ms", "1e-7"), "arrival_ms"],
    ["arrival beyond any range", raw("arrival_ms", "1e400"), "arrival_ms"],
    ["arrival below 0", raw("arrival_ms", "-1"), "arrival_ms"],
    ["arrival of half a millisecond", raw("arrival_ms", "1.5"), "arrival_ms"],
    ["arrival a millionth above an integer", raw("arrival_ms", "1.000001"), "arrival_ms"],
    ["arrival after 366 days", raw("arrival_ms", "31622400001"), "arrival_ms"],
    ["a cost of 0", raw("cost", "0"), "cost"],
    ["a cost of -0", raw("cost", "-0"), "cost"],
    ["a cost of 0e9", raw("cost", "0e9"), "cost"],
    ["a cost below 0", raw("cost", "-2"), "cost"],
    ["a cost above 1e9", raw("cost", "1000000000.000001"), "cost"],
    ["1e400", raw("cost", "1e400"), "cost"],
    ["1e999999999999", raw("cost", "1e999999999999"), "cost"],
    ["an exponent of 400 digits", raw("cost", `1e${"9".repeat(400)}`), "cost"],
    ["a negative exponent of 400 digits", raw("cost", `1e-${"9".repeat(400)}`), "cost"],
    ["1e-7", raw("cost", "1e-7"), "cost"],
    ["what a double would round to 1", raw("cost", "1.00000000000000001"), "cost"],
    ["NaN", raw("cost", "NaN"), "cost"],
    ["Infinity", raw("cost", "Infinity"), "cost"],
    ["a plus sign", raw("cost", "+1"), "cost"],
    ["a leading zero", raw("cost", "01"), ""],
    ["no digit after the point", raw("cost", "1."), ""],
    ["no digit before the point", raw("cost", ".5"), "cost"],
    ["hexadecimal", raw("cost", "0x10"), ""],
    ["a cost that is a list", raw("cost", "[1]"), "cost"],
    ["a cost that is an object", raw("cost", '{"a":1}'), "cost"],
    ["an unknown mode", row({ mode: "Soft" }), "mode"],
    ["a mode that is null", row({ mode: null }), "mode"],
  ])("%s", async (_, line, field) => {
    const { rows, skipped } = await readText(
      `${row({ req_id: "before" })}\n${line}\n${row({ req_id: "after" })}`,
    );
    expect(rows.map(({ req_id }) => req_id)).toEqual(["before", "after"]);
    expect(skipped).toEqual({ count: 1, lines: [{ line: 2, field, reason: expect.stringMatching(/./) }] });
  });

  test.each(["req_id", "tenant", "arrival_ms", "cost", "mode"])("a missing %s is named", async (field) => {
    const { skipped } = await readText(row({ [field]: undefined }));
    expect(skipped.lines).toEqual([{ line: 1, field, reason: "is missing" }]);
  });

  test.each([
    ["req_id", "1", "is no string; expected a name"],
    ["req_id", '""', "is empty; expected a name"],
    ["req_id", `"${"x".repeat(257)}"`, "is longer than 256 bytes"],
    ["req_id", '"\\ud800"', "holds a lone surrogate"],
    ["req_id", '"\\u0000"', "holds a control character"],
    ["tenant", '"*"', "is the template; expected a tenant"],
    ["arrival_ms", "true", "is no number"],
    ["arrival_ms", "0.5", "is no integer 0 … 31622400000"],
    ["cost", "1e-7", "is out of range or has more than 6 digits after the point"],
    ["cost", "0", "is not above 0 and at most 1e9"],
    ["mode", "null", 'is neither "soft" nor "hard"'],
    ["mode", "1", 'is neither "soft" nor "hard"'],
  ])("a bad %s says why: %s", async (field, text, reason) => {
    const { skipped } = await readText(raw(field, text));
    expect(skipped.lines).toEqual([{ line: 1, field, reason }]);
  });

  test("nesting of any depth is a bad line, not a stack that ends", async () => {
    const deep = "[".repeat(1_000_000);
    const { rows, skipped } = await readText(`{"extra":${deep}\n{"cost":${deep}\n${deep}\n${row()}`);
    expect(rows).toHaveLength(1);
    expect(skipped.lines.map(({ line }) => line)).toEqual([1, 2, 3]);
  });

  test("invalid UTF-8 is one bad line between good ones", async () => {
    const head = bytesOf(`${row({ req_id: "before" })}\n{"req_id":"`);
    const tail = bytesOf(`"}\n${row({ req_id: "after" })}`);
    for (const rubbish of [
      [0xff],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x82],
    ]) {
      const { rows, skipped } = await read(Uint8Array.from([...head, ...rubbish, ...tail]));
      expect(rows.map(({ req_id }) => req_id)).toEqual(["before", "after"]);
      expect(skipped.lines).toEqual([{ line: 2, field: "", reason: "is no UTF-8" }]);
    }
  });

  test("only the first hundred are told one by one, all are counted", async () => {
    const { skipped } = await readText("x\n".repeat(250));
    expect(skipped.count).toBe(250);
    expect(skipped.lines.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  });

  test("ids that come again are told among the hundred, in the order of the lines", async () => {
    const lines = Array.from({ length: 160 }, (_, at) =>
      at % 2 === 0 ? "x" : row({ req_id: `r${at % 4}` }),
    );
    const { rows, skipped } = await readText(lines.join("\n"));
    // Lines 2 and 4 are the first of their ids; every other one is bad.
    expect([rows.length, skipped.count]).toEqual([2, 158]);
    const bad = Array.from({ length: 160 }, (_, at) => at + 1).filter((line) => line !== 2 && line !== 4);
    expect(skipped.lines.map(({ line }) => line)).toEqual(bad.slice(0, 100));
    expect(skipped.lines[3]).toEqual({ line: 6, field: "req_id", reason: "was seen already" });
  });

  test("a key of 100 000 characters is not repeated in the problem", async () => {
    const { skipped } = await readText(`{"${"k".repeat(100_000)}":1}`);
    expect(skipped.lines[0]?.field.length).toBeLessThanOrEqual(256);
  });
});

describe("good lines (§1.3, §1.4)", () => {
  test.each([
    ["5.0", 5],
    ["50e-1", 5],
    ["0.5E1", 5],
    ["5.0000000000", 5],
    ["-0", 0],
    ["-0.0e7", 0],
    ["0e999999999999", 0],
    ["-0e-9", 0],
    ["3.16224e10", 31_622_400_000],
  ])("arrival %s is the integer %d", async (text, arrival_ms) => {
    const { rows, skipped } = await readText(raw("arrival_ms", text));
    expect(skipped.count).toBe(0);
    expect(rows[0]?.arrival_ms).toBe(arrival_ms);
  });

  test.each([
    ["1e9", 1_000_000_000_000_000n],
    ["0.000001", 1n],
    ["1.0000000", 1_000_000n],
    ["1e-6", 1n],
    ["999999999.999999", 999_999_999_999_999n],
    [`0.1${"0".repeat(500)}`, 100_000n],
    [`1${"0".repeat(300)}e-300`, 1_000_000n],
  ])("cost %s is exact", async (text, cost) => {
    expect((await readText(raw("cost", text))).rows[0]?.cost).toBe(cost);
  });

  test("white space between tokens, and escapes in keys and values", async () => {
    const line =
      ' \t{ "r\\u0065q_id" :\r"\\ud83d\\ude00\\/\\"" ,"tenant":"t","arrival_ms": 1 ,"cost":2,"mode":"h\\u0061rd" } \r';
    const { rows, skipped } = await readText(line);
    expect(skipped.lines).toEqual([]);
    expect(rows).toEqual([{ req_id: '😀/"', tenant: "t", arrival_ms: 1, cost: 2_000_000n, soft: false }]);
  });

  test("names of 256 bytes, and names that programs trip over", async () => {
    const names = [
      "x".repeat(256),
      "😀".repeat(64),
      "__proto__",
      "constructor",
      "*",
      "\u0080",
      "\uE000",
      " ",
    ];
    const { rows, skipped } = await readText(names.map((req_id) => row({ req_id })).join("\n"));
    expect(skipped.lines).toEqual([]);
    expect(rows.map(({ req_id }) => req_id)).toEqual(names);
  });
});

describe("physical lines (§1.3)", () => {
  test("empty lines are no lines, but they count", async () => {
    const { rows, skipped } = await readText(`\n \t\r\n${row()}\r\n\r\nx\n\n`);
    expect(rows).toHaveLength(1);
    expect(skipped.lines.map(({ line }) => line)).toEqual([5]);
  });

  test("a BOM is allowed at the very start and nowhere else", async () => {
    const { rows, skipped } = await readText(`\uFEFF${row()}\n\uFEFF${row({ req_id: "s" })}`);
    expect(rows.map(({ req_id }) => req_id)).toEqual(["r"]);
    expect(skipped.lines.map(({ line }) => line)).toEqual([2]);
    expect((await readText(`\uFEFF\uFEFF${row()}`)).skipped.count).toBe(1);
    expect((await readText(`\n\uFEFF${row()}`)).skipped.count).toBe(1);
    expect((await readText("\uFEFF")).skipped.count).toBe(0);
  });

  test("a last line without a line feed counts; nothing at all is no line", async () => {
    expect((await readText(row())).rows).toHaveLength(1);
    expect(await readText("")).toEqual({ rows: [], skipped: { count: 0, lines: [] } });
    expect((await readText("x")).skipped.count).toBe(1);
  });

  test("an id is seen only where its line was valid", async () => {
    const lines = [row({ cost: 0 }), row(), row({ tenant: "u" }), row({ req_id: "s" })];
    const { rows, skipped } = await readText(lines.join("\n"));
    expect(rows.map(({ req_id, tenant }) => [req_id, tenant])).toEqual([
      ["r", "t"],
      ["s", "t"],
    ]);
    expect(skipped.lines.map(({ line, field }) => [line, field])).toEqual([
      [1, "cost"],
      [3, "req_id"],
    ]);
  });

  test("ids differ by bytes, not by how they look", async () => {
    const { rows } = await readText(`${row({ req_id: "é" })}\n${row({ req_id: "e\u0301" })}`);
    expect(rows).toHaveLength(2);
  });

  test("a line of 16 MiB is looked at, a longer one is not, wherever the chunks end", async () => {
    const bytes = bytesOf(
      `${"x".padEnd(2 ** 24)}\n${"y".padEnd(2 ** 24 + 1)}\n${row({ req_id: "é" })}\n${"z".padEnd(2 ** 24 + 1)}`,
    );
    for (const size of [1 << 16, bytes.length]) {
      const { rows, skipped } = await read(bytes, Array(Math.ceil(bytes.length / size)).fill(size));
      expect(rows).toHaveLength(1);
      const tooLong = { field: "", reason: "is longer than 16777216 bytes" };
      expect(skipped.lines).toEqual([
        { line: 1, field: "", reason: expect.stringContaining("is no object") },
        { line: 2, ...tooLong },
        { line: 4, ...tooLong },
      ]);
      expect(skipped.count).toBe(3);
    }
  });

  test("an error that is no line's fault is not taken for one", async () => {
    const { add } = RowTable.prototype;
    RowTable.prototype.add = () => {
      throw new RangeError("no room");
    };
    try {
      await expect(readText(row({ req_id: "é" }))).rejects.toThrow("no room");
    } finally {
      RowTable.prototype.add = add;
    }
  });

  test("how far the reading is is told now and then, by valid requests", async () => {
    const told: number[] = [];
    const block = bytesOf(
      Array.from({ length: 2 ** 15 }, (_, at) => `${row({ req_id: `r${at}` })}\n`).join(""),
    );
    async function* chunks() {
      yield block;
      yield block;
      yield bytesOf(row());
    }
    await readRows(chunks(), (rows) => told.push(rows));
    expect(told).toEqual([2 ** 16]);
  });

  test("chunks may end anywhere, also inside a character", async () => {
    const text = `\uFEFF${row({ req_id: "😀€é" })}\r\n\n${row({ req_id: "s", tenant: "\u00e9" })}\n\nx€\n${row({ req_id: "u" })}`;
    const bytes = Uint8Array.from([
      ...bytesOf(text),
      0x0a,
      0xe2,
      0x82,
      0x0a,
      ...bytesOf(row({ req_id: "v" })),
    ]);
    const whole = await read(bytes);
    expect(whole.rows.map(({ req_id }) => req_id)).toEqual(["😀€é", "s", "u", "v"]);
    expect(whole.skipped.lines.map(({ line }) => line)).toEqual([5, 7]);
    expect(await read(bytes, Array(bytes.length).fill(1))).toEqual(whole);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 40 })), async (sizes) => {
        expect(await read(bytes, sizes)).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  test("whatever JSON.parse takes as a request is one, and nothing else (random near misses)", async () => {
    const pieces = ["{", "}", '"', ":", ",", "\\", "u0041", " ", "1", "-", ".", "e", "null", "[", "]", "\t"];
    const line = row();
    const edit = fc.tuple(fc.nat(line.length), fc.nat(3), fc.constantFrom(...pieces));
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 2 }), async (edits) => {
        let text = line;
        for (const [at, cut, piece] of edits) text = text.slice(0, at) + piece + text.slice(at + cut);
        const { rows, skipped } = await readText(text);
        expect(rows.length + skipped.count).toBe(1);
        let parsed: Record<string, unknown> | null = null;
        try {
          parsed = JSON.parse(text);
        } catch {}
        if (rows.length === 0) return;
        expect(parsed).toMatchObject({ req_id: rows[0]?.req_id, tenant: rows[0]?.tenant });
        expect(parsed?.arrival_ms).toBe(rows[0]?.arrival_ms);
      }),
      { numRuns: 3000 },
    );
  });
});
