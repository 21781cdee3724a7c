import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LINE_MAX_BYTES } from "../../contract/limits.ts";
import { readColumns } from "./canonical-stream.ts";
import { readExactLine } from "./exact-line.ts";
import { PlainBytes } from "./plain-bytes.ts";
import { PlainLineReader } from "./plain-line.ts";

const encode = (text: string) => new TextEncoder().encode(text);

async function* cut(content: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === "string" ? encode(content) : content;
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}
const read = (content: string | Uint8Array, size?: number) => readColumns(cut(content, size));
const joined = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...encode(part)] : part)));

/** A line whose fields are JSON texts; a field that is given as undefined is left out. */
function line(fields: Record<string, string | undefined> = {}): string {
  const all = { req_id: '"r-1"', tenant: '"t"', arrival_ms: "5", cost: "1.5", mode: '"soft"', ...fields };
  const members = Object.entries(all).filter(([, value]) => value !== undefined);
  return `{${members.map(([key, value]) => `"${key}":${value}`).join(",")}}`;
}

test("columns hold the requests in the order of their lines (§1.3)", async () => {
  const text = [
    line(),
    line({ req_id: '"r-2"', tenant: '"__proto__"', cost: "0.000001", mode: '"hard"' }),
    line({ req_id: '"r-3"', arrival_ms: "31622400000", cost: "1e9" }),
  ].join("\n");
  const { columns, ...rest } = await read(text);
  expect({ ...columns, reqId: [...columns.reqId] }).toEqual({
    count: 3,
    tenantNames: ["t", "__proto__"],
    reqId: ["r-1", "r-2", "r-3"],
    tenant: Uint32Array.of(0, 1, 0),
    arrivalMs: Float64Array.of(5, 5, 31_622_400_000),
    costMicro: Float64Array.of(1_500_000, 1, 1e15),
    soft: Uint8Array.of(1, 0, 1),
  });
  expect(rest).toEqual({
    problems: [],
    problemCount: 0,
    lines: 3,
    sha256: createHash("sha256").update(text).digest("hex"),
    bytes: encode(text).length,
  });
});

test.each(["", "\uFEFF", "\n\n", " \t\r\n \n", "\uFEFF\r\n"])(
  "a stream without requests is valid: %j",
  async (text) => {
    const { columns, problemCount, lines } = await read(text);
    expect({ count: columns.count, problemCount }).toEqual({ count: 0, problemCount: 0 });
    expect(lines).toBe(text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0));
  },
);

describe("lines that are fine (§1.3, §1.4)", () => {
  test.each([
    ["a BOM at the very start", `\uFEFF${line()}`],
    ["CRLF", `${line()}\r\n`],
    [
      "white space all over",
      ` \t{ "req_id" : "r-1" ,\t"tenant":"t","arrival_ms":5,"cost":1.5,"mode":"soft"}\r \r\n`,
    ],
    ["fields in another order", '{"mode":"soft","cost":1.5,"arrival_ms":5,"tenant":"t","req_id":"r-1"}'],
    ["an integer as 5.0", line({ arrival_ms: "5.0" })],
    ["an integer as 0.5e1", line({ arrival_ms: "0.5e1" })],
    ["needless zeros", line({ cost: "1.50000000000000000" })],
    ["an exponent", line({ cost: "15e-1" })],
    ["escapes", line({ req_id: '"r\\u002d1"', mode: '"\\u0073oft"' })],
    ["escaped fields", line().replace("tenant", "\\u0074enant")],
  ])("%s", async (_, text) => {
    const { columns, problems } = await read(text);
    expect(problems).toEqual([]);
    expect([columns.reqId.at(0), columns.tenantNames[0]]).toEqual(["r-1", "t"]);
    expect([columns.arrivalMs[0], columns.costMicro[0], columns.soft[0]]).toEqual([5, 1_500_000, 1]);
  });

  test("-0 is 0 as an arrival", async () => {
    const { columns, problemCount } = await read(line({ arrival_ms: "-0.0" }));
    expect(problemCount).toBe(0);
    expect(Object.is(columns.arrivalMs[0], 0)).toBe(true);
  });

  test("names of 256 bytes, and of every script", async () => {
    const names = ["é".repeat(128), "😀".repeat(64), "x".repeat(256), "\u2028\u00a0\uFEFF", "\u0080"];
    const { columns, problems } = await read(
      names.map((name, at) => line({ req_id: `"${at}"`, tenant: JSON.stringify(name) })).join("\n"),
    );
    expect(problems).toEqual([]);
    expect(columns.tenantNames).toEqual(names);
  });
});

describe("lines that are bad, each with its field (§1.3, §1.4)", () => {
  test.each([
    ["no JSON", "req_id=1", ""],
    ["another value", "5", ""],
    ["a list", `[${line()}]`, ""],
    ["cut off", line().slice(0, -1), "mode"],
    ["cut off in a string", line().slice(0, 10), "req_id"],
    ["something after the object", `${line()},`, ""],
    ["a second object", `${line()}${line({ req_id: '"r-2"' })}`, ""],
    ["a trailing comma", line().replace("}", ",}"), ""],
    ["an empty object", "{}", "req_id"],
    ["a missing field", line({ cost: undefined }), "cost"],
    ["an unknown field", line({ color: "1" }), "color"],
    [
      "an unknown field __proto__",
      line({ ["__proto__"]: "{}" }).replace("{", '{"__proto__":{},'),
      "__proto__",
    ],
    ["an explicit null", line({ mode: "null" }), "mode"],
    ["a null cost", line({ cost: "null" }), "cost"],
    ["a key twice", line().replace("}", ',"mode":"soft"}'), "mode"],
    ["a key twice by an escape", line().replace("}", ',"m\\u006fde":"soft"}'), "mode"],
    ["a nested value", line({ cost: '{"a":1}' }), "cost"],
    ["a quoted number", line({ cost: '"1"' }), "cost"],
    ["a quoted arrival", line({ arrival_ms: '"1"' }), "arrival_ms"],
    ["NaN", line({ cost: "NaN" }), "cost"],
    ["Infinity", line({ cost: "Infinity" }), "cost"],
    ["1e400", line({ cost: "1e400" }), "cost"],
    ["1e99999999999", line({ cost: "1e99999999999" }), "cost"],
    ["1e-7", line({ cost: "1e-7" }), "cost"],
    ["too fine by a hair", line({ cost: "1.00000000000000001" }), "cost"],
    ["no cost", line({ cost: "0" }), "cost"],
    ["-0 as a cost", line({ cost: "-0" }), "cost"],
    ["a negative cost", line({ cost: "-1" }), "cost"],
    ["a cost above 1e9", line({ cost: "1000000000.000001" }), "cost"],
    ["a leading zero", line({ cost: "01" }), "cost"],
    ["a bare point", line({ cost: "1." }), "cost"],
    ["a plus sign", line({ cost: "+1" }), "cost"],
    ["half a millisecond", line({ arrival_ms: "0.5" }), "arrival_ms"],
    ["a time before the round", line({ arrival_ms: "-1" }), "arrival_ms"],
    ["a time after 366 days", line({ arrival_ms: "31622400001" }), "arrival_ms"],
    ["an empty name", line({ req_id: '""' }), "req_id"],
    ["a name of 257 bytes", line({ req_id: `"${"é".repeat(128)}x"` }), "req_id"],
    ["a control character", line({ tenant: '"a\\u0007"' }), "tenant"],
    ["a raw control character", line({ tenant: '"a\u0007"' }), "tenant"],
    ["DEL", line({ tenant: '"a\u007f"' }), "tenant"],
    ["a lone surrogate", line({ tenant: '"\\ud800"' }), "tenant"],
    ["a bad escape", line({ tenant: '"\\x41"' }), "tenant"],
    ["the template", line({ tenant: '"*"' }), "tenant"],
    ["another mode", line({ mode: '"Soft"' }), "mode"],
    ["a boolean", line({ mode: "true" }), "mode"],
    ["a BOM inside the stream", `\uFEFF${line()}`, ""],
    ["a no-break space", `\u00a0${line()}`, ""],
    ["a NUL", "\0", ""],
  ])("%s", async (_, text, field) => {
    const good = line({ req_id: '"good"' });
    const { columns, problems, problemCount, lines } = await read(`${good}\n\r\n${text}\n`);
    expect([...columns.reqId]).toEqual(["good"]);
    expect({ problems, problemCount, lines }).toEqual({
      problems: [{ line: 3, field, reason: expect.stringMatching(/\S/) }],
      problemCount: 1,
      lines: 3,
    });
  });

  test("a second BOM at the start", async () => {
    expect((await read(`\uFEFF\uFEFF${line()}`)).problems).toMatchObject([{ line: 1 }]);
  });

  test("only the lines that are no UTF-8 are bad, not their neighbours", async () => {
    const content = joined(
      line(),
      "\n",
      [0x22, 0xc3, 0x28],
      "\n",
      line({ req_id: '"r-2"' }),
      "\n",
      [0xed, 0xa0, 0x80],
    );
    const { columns, problems } = await read(content);
    expect([...columns.reqId]).toEqual(["r-1", "r-2"]);
    expect(problems).toEqual([2, 4].map((number) => ({ line: number, field: "", reason: "is no UTF-8" })));
  });
});

test("an id is taken by valid lines only (§1.3)", async () => {
  const lines = [line({ cost: "0" }), line(), line({ tenant: '"u"' }), line({ req_id: '"r\\u002d1"' })];
  const { columns, problems } = await read(lines.join("\n"));
  expect(columns.tenantNames).toEqual(["t"]);
  expect(problems.map((problem) => [problem.line, problem.field])).toEqual([
    [1, "cost"],
    [3, "req_id"],
    [4, "req_id"],
  ]);
});

test("of bad lines the first hundred are told, all are counted", async () => {
  const { problems, problemCount, lines } = await read("x\n".repeat(1234));
  expect([problems.length, problems.at(-1)?.line, problemCount, lines]).toEqual([100, 100, 1234, 1234]);
});

test("a stream reads alike wherever its chunks end", async () => {
  const content = joined(
    `\uFEFF${line({ tenant: '"é😀"' })}\r\n\r\n`,
    [0xff, 0x0a],
    `${line({ req_id: '"😀"' })}\nx\n${line({ req_id: '"r-3"' })}`,
  );
  const whole = await read(content);
  expect([...whole.columns.reqId]).toEqual(["r-1", "😀", "r-3"]);
  expect(whole.problems.map((problem) => problem.line)).toEqual([3, 5]);
  for (let size = 1; size < content.length; size++) expect(await read(content, size)).toEqual(whole);
});

test("binary files are bad lines, never a crash", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 2000 }),
      fc.integer({ min: 1, max: 50 }),
      async (content, size) => {
        const { columns, problemCount, lines, bytes } = await read(content, size);
        expect(columns.count).toBe(0);
        expect(problemCount).toBeLessThanOrEqual(lines);
        expect(bytes).toBe(content.length);
      },
    ),
  );
});

const MEGA = 5_000_000;
test.each([
  ["a name", line({ req_id: `"${"a".repeat(MEGA)}"` }), 0],
  ["backslashes", line({ req_id: `"${"\\\\".repeat(MEGA / 2)}"` }), 0],
  ["escaped quotes", line({ req_id: `"${'\\"'.repeat(MEGA / 2)}"` }), 0],
  ["a string without an end", `{"req_id":"${'\\"'.repeat(MEGA / 2)}`, 0],
  ["white space", `${" ".repeat(MEGA)}${line()}${" ".repeat(MEGA)}`, 1],
  ["nothing but white space", " ".repeat(MEGA), 0],
  ["zeros before the point", line({ cost: `1${"0".repeat(MEGA)}` }), 0],
  ["zeros behind the point", line({ cost: `1.5${"0".repeat(MEGA)}` }), 1],
  ["zeros in the middle", line({ cost: `1.${"0".repeat(MEGA)}1` }), 0],
  ["an exponent", line({ cost: `1e${"9".repeat(MEGA)}` }), 0],
  ["zeros in an exponent", line({ cost: `1.5e${"0".repeat(MEGA)}` }), 1],
  ["an unknown field", line({ ["k".repeat(MEGA)]: "1" }), 0],
  ["the same field", `{${'"mode":"soft",'.repeat(MEGA / 14)}"cost":1}`, 0],
  ["a list", `[${"0,".repeat(MEGA / 2)}0]`, 0],
  ["lists in lists", line({ cost: "[".repeat(MEGA) }), 0],
])("5 MB of %s take linear time and little to tell", async (_, text, count) => {
  const start = performance.now();
  const { columns, problems } = await read(text);
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(columns.count).toBe(count);
  expect(JSON.stringify(problems).length).toBeLessThan(1_000);
});

/** Texts near the edge of what the plain way takes. */
const NUMBERS = [
  "0",
  "1",
  "-0",
  "00",
  "1.5",
  "1.",
  "0.000001",
  "0.0000001",
  "1.50",
  "999999999.999999",
  "1000000000",
  "1000000000.1",
  "9999999999",
  "31622400000",
  "31622400001",
  "1e3",
  "5.0",
  "null",
  '"1"',
];
const NAMES = [
  "a",
  "*",
  "",
  "é",
  "😀",
  "x".repeat(85),
  "x".repeat(86),
  "é".repeat(128),
  "é".repeat(129),
  "\u2028",
  "\u007f",
  "\\u0041",
  '\\"',
  "\\",
  "a\tb",
  "__proto__",
];
const FIELDS = ["req_id", "tenant", "arrival_ms", "cost", "mode"] as const;

const mostly = (plain: string, odd: readonly string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(plain) }, fc.constantFrom(...odd));

const oddLine = fc
  .record({
    values: fc.tuple(
      mostly("r", NAMES),
      mostly("t", NAMES),
      mostly("7", NUMBERS),
      mostly("7.25", NUMBERS),
      mostly("hard", ["soft", "Soft", ""]),
    ),
    order: fc.oneof(
      { weight: 3, arbitrary: fc.constant<number[]>([0, 1, 2, 3, 4]) },
      fc.shuffledSubarray<number>([0, 1, 2, 3, 4], { minLength: 4 }),
    ),
    colon: mostly(":", [": ", " :", ":  ", ":\t"]),
    comma: mostly(",", [", ", " , ", ",,", ",\u00a0"]),
    end: mostly("", ["\r", "\r\r", " ", "x", "}"]),
    edit: fc.option(fc.tuple(fc.nat(), fc.constantFrom("", '"', ",", "\\", "0", " ", "\u0000")), { freq: 1 }),
  })
  .map(({ values, order, colon, comma, end, edit }) => {
    const members = order.map(
      (at) => `"${FIELDS[at]}"${colon}${at === 2 || at === 3 ? values[at] : `"${values[at]}"`}`,
    );
    const text = `{${members.join(comma)}}${end}`;
    if (edit === null) return text;
    const at = edit[0] % text.length;
    return text.slice(0, at) + edit[1] + text.slice(at + 1);
  });

test("whatever the plain way takes, the exact way reads alike", () => {
  const reader = new PlainLineReader();
  let plain = 0;
  let valid = 0;
  fc.assert(
    fc.property(oddLine, (text) => {
      const fast = reader.read(text);
      const exact = readExactLine(text);
      if (fast !== null) expect(exact).toMatchObject({ ok: true, request: fast });
      if (exact.ok) reader.learn(exact.keys);
      plain += Number(fast !== null);
      valid += Number(exact.ok);
    }),
    { numRuns: 20_000 },
  );
  // Both kinds were met, or the property says nothing.
  expect(plain).toBeGreaterThan(100);
  expect(valid).toBeGreaterThan(plain);
});

test("what the exact way takes is strict JSON of five fields", () => {
  fc.assert(
    fc.property(oddLine, (text) => {
      const exact = readExactLine(text);
      if (!exact.ok) return;
      const value = JSON.parse(text) as Record<string, unknown>;
      expect(Object.keys(value).sort()).toEqual([...FIELDS].sort());
      expect([exact.request.reqId, exact.request.tenant]).toEqual([value.req_id, value.tenant]);
      expect(exact.request.arrivalMs === value.arrival_ms).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test("whatever is read from bytes alone, the exact way reads alike, and the line ends where it does", () => {
  const reader = new PlainBytes();
  let plain = 0;
  fc.assert(
    fc.property(oddLine, fc.constantFrom("", "\n", "\nx"), (text, behind) => {
      const before = encode("{}\n");
      const block = joined("{}\n", text, behind);
      const end = reader.read(block, before.length);
      if (end < 0) return;
      plain += 1;
      const textOf = (from: number, to: number) => new TextDecoder().decode(block.subarray(from, to));
      expect(end).toBe(before.length + encode(text).length);
      expect(readExactLine(text)).toMatchObject({
        ok: true,
        request: {
          reqId: textOf(reader.idStart, reader.idEnd),
          tenant: textOf(reader.tenantStart, reader.tenantEnd),
          arrivalMs: reader.arrivalMs,
          costMicro: reader.costMicro,
          isSoft: reader.isSoft,
        },
      });
    }),
    { numRuns: 20_000 },
  );
  expect(plain).toBeGreaterThan(1000);
});

test("whatever ids come again, and wherever, the first of each counts and the others are told (§1.3)", async () => {
  const ids = fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 5 })), { maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(ids, async (rows) => {
      const lines = rows.map(([id, tenant]) => line({ req_id: `"${id}"`, tenant: `"t${tenant}"` }));
      const { columns, problems, problemCount } = await read(lines.join("\n"));
      const firsts = rows.filter(([id], at) => rows.findIndex(([other]) => other === id) === at);
      const repeated = rows.flatMap((row, at) => (firsts.includes(row) ? [] : [at + 1]));
      expect([...columns.reqId]).toEqual(firsts.map(([id]) => String(id)));
      expect(columns.tenantNames).toEqual([...new Set(firsts.map(([, tenant]) => `t${tenant}`))]);
      expect(problemCount).toBe(repeated.length);
      expect(problems.map((problem) => problem.line)).toEqual(repeated.slice(0, 100));
    }),
  );
});

test("problems of both kinds are told in the order of their lines", async () => {
  const { problems } = await read([line(), "x", line(), "y"].join("\n"));
  expect(problems.map((problem) => [problem.line, problem.field])).toEqual([
    [2, ""],
    [3, "req_id"],
    [4, ""],
  ]);
});

test("a hundred thousand ids, one of them twice", async () => {
  const lines = Array.from({ length: 100_000 }, (_, at) => line({ req_id: `"id-${at % 99_999}"` }));
  const { columns, problems } = await read(lines.join("\n"));
  expect([columns.count, problems.map((problem) => problem.line)]).toEqual([99_999, [100_000]]);
});

// A line without an end must not fill the memory, wherever the chunks end.
test.each([1 << 16, 1 << 20, LINE_MAX_BYTES * 2])(
  "a line that is too long is one bad line, in chunks of %i",
  async (size) => {
    const long = "x".repeat(LINE_MAX_BYTES + 1);
    const { columns, problems, lines } = await read(
      [line(), long, line({ req_id: '"r-2"' }), long].join("\n"),
      size,
    );
    expect([...columns.reqId]).toEqual(["r-1", "r-2"]);
    expect(lines).toBe(4);
    expect(problems).toEqual(
      [2, 4].map((at) => ({ line: at, field: "", reason: "is longer than 16777216 bytes" })),
    );
  },
);

test("the longest line that is read is read", async () => {
  const padded = `${line()}${" ".repeat(LINE_MAX_BYTES - line().length)}`;
  expect((await read(padded, 1 << 16)).columns.count).toBe(1);
  expect((await read(`${padded} `, 1 << 16)).problemCount).toBe(1);
});
