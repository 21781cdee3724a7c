import fc from "fast-check";
import { expect, test } from "vitest";
import { QuickLine } from "./quick-line.ts";
import { readRequest } from "./request-line.ts";
import { readRows } from "./stream.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const pick = (plain: string, others: string[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(plain) }, fc.constantFrom(...others));
const NAMES = ["é", "*", "", "a\\u0062", "x".repeat(256), "x".repeat(257), '\\"', "\u007f", "\t"];
const NUMBERS = [
  "0",
  "00",
  "-1",
  "1.5",
  "01",
  "1e3",
  "31622400000",
  "31622400001",
  "99999999999",
  "123456789012",
];
const COSTS = [
  "0",
  "0.0",
  "0.000001",
  "1.2345678",
  "1.5000000",
  "1000000000",
  "1000000000.000001",
  "99999999999.999999",
  "1.",
  ".5",
];

/** Lines that are plain, nearly plain, or broken at one place. */
const lines = fc
  .record({
    values: fc.tuple(
      pick(
        '"r"',
        NAMES.map((name) => `"${name}"`),
      ),
      pick(
        '"t"',
        NAMES.map((name) => `"${name}"`),
      ),
      pick("7", NUMBERS),
      pick("2.25", COSTS),
      pick('"hard"', ['"soft"', '"Soft"', "1"]),
    ),
    order: fc.oneof(
      fc.constant<number[]>([0, 1, 2, 3, 4]),
      fc.shuffledSubarray<number>([0, 1, 2, 3, 4], { minLength: 4 }),
    ),
    colon: pick(":", [": ", " :", ":  ", ""]),
    comma: pick(",", [", ", " , ", ",,"]),
    end: pick("", ["\r", "\r\r", " ", "x", "}"]),
  })
  .map(({ values, order, colon, comma, end }) => {
    const keys = ["req_id", "tenant", "arrival_ms", "cost", "mode"];
    return `{${order.map((at) => `"${keys[at]}"${colon}${values[at]}`).join(comma)}}${end}`;
  });

test("whatever is read straight from bytes, the parser of lines reads alike", () => {
  const quick = new QuickLine();
  let taken = 0;
  let tried = 0;
  fc.assert(
    fc.property(lines, fc.constantFrom("", "\n", "\n{}"), (line, behind) => {
      const text = bytes(`x\n${line}${behind}`);
      const end = quick.read(text, 2);
      tried += 1;
      if (end < 0) return;
      taken += 1;
      const name = (from: number, to: number) => new TextDecoder().decode(text.subarray(from, to));
      expect(end).toBe(2 + bytes(line).length);
      expect(readRequest(line)).toEqual({
        req_id: name(quick.id_start, quick.id_end),
        tenant: name(quick.tenant_start, quick.tenant_end),
        arrival_ms: quick.arrival_ms,
        cost: BigInt(quick.cost_micro),
        soft: quick.soft,
      });
    }),
    { numRuns: 20_000 },
  );
  expect(taken).toBeGreaterThan(tried / 20);
});

const KEYS = ["req_id", "tenant", "arrival_ms", "cost", "mode"];
const PLAIN = { req_id: '"r"', tenant: '"t"', arrival_ms: "7", cost: "2.25", mode: '"hard"' };
/** A plain line, some of its values replaced by other texts. */
const lineOf = (changed: Partial<typeof PLAIN> = {}, keys = KEYS) =>
  `{${keys.map((key) => `"${key}":${{ ...PLAIN, ...changed }[key as keyof typeof PLAIN]}`).join(",")}}`;

test.each([
  [lineOf(), {}],
  [lineOf({ mode: '"soft"' }), { soft: true }],
  [lineOf({}, KEYS.toReversed()), {}],
  [lineOf({}, ["req_id", "tenant", "arrival_ms", "mode", "cost"]), {}],
  [lineOf({ cost: "3" }, ["req_id", "tenant", "arrival_ms", "mode", "cost"]), { cost_micro: 3_000_000 }],
  [lineOf({}, ["cost", "req_id", "tenant", "mode", "arrival_ms"]), {}],
  [lineOf().replaceAll(":", ": ").replaceAll(",", ", "), {}],
  [lineOf().replaceAll(":", " : ").replaceAll(",", " ,").replace("}", " }"), {}],
  [`${lineOf()}\r`, {}],
  [`${lineOf()} `, {}],
  [lineOf({ req_id: `"${"x".repeat(256)}"` }), { req_id: "x".repeat(256) }],
  [lineOf({ req_id: '" ~"', tenant: '"**"' }), { req_id: " ~", tenant: "**" }],
  [lineOf({ req_id: '"*"', tenant: '"0"' }), { req_id: "*", tenant: "0" }],
  [lineOf({ arrival_ms: "0" }), { arrival_ms: 0 }],
  [lineOf({ arrival_ms: "31622400000" }), { arrival_ms: 31_622_400_000 }],
  [lineOf({ arrival_ms: "1234567890" }), { arrival_ms: 1_234_567_890 }],
  [lineOf({ cost: "0.000001" }), { cost_micro: 1 }],
  [lineOf({ cost: "10.000900" }), { cost_micro: 10_000_900 }],
  [lineOf({ cost: "1000000000" }), { cost_micro: 1e15 }],
  [lineOf({ cost: "1000000000.000000" }), { cost_micro: 1e15 }],
  [lineOf({ cost: "999999999.999999" }), { cost_micro: 999_999_999_999_999 }],
])("a plain line is read straight from its bytes: %s", (line, changed) => {
  const plain = { req_id: "r", tenant: "t", arrival_ms: 7, cost_micro: 2_250_000, soft: false };
  for (const behind of ["", "\n", "\n{"]) {
    const quick = new QuickLine();
    const text = bytes(`x\n${line}${behind}`);
    const name = (from: number, to: number) => new TextDecoder().decode(text.subarray(from, to));
    expect(quick.read(text, 2)).toBe(2 + line.length);
    const { arrival_ms, cost_micro, soft } = quick;
    const names = {
      req_id: name(quick.id_start, quick.id_end),
      tenant: name(quick.tenant_start, quick.tenant_end),
    };
    expect({ ...names, arrival_ms, cost_micro, soft }).toEqual({ ...plain, ...changed });
  }
});

test.each([
  "",
  "{",
  "{}",
  lineOf().slice(1),
  lineOf().slice(0, -1),
  `${lineOf()}x`,
  `${lineOf()}  `,
  `${lineOf()}\r\r`,
  lineOf().replace(":", ":  "),
  lineOf().replace(":", "  :"),
  lineOf().replace(",", "  ,"),
  lineOf().replace(",", ",,"),
  lineOf().replace(":", ""),
  lineOf().replace('"req_id"', 'req_id"'),
  lineOf().replace('"req_id"', '"req_ix"'),
  lineOf().replace('"req_id"', '"x"'),
  lineOf({}, KEYS.slice(1)),
  lineOf({}, KEYS.slice(0, 4)),
  lineOf({}, ["req_id", "req_id", "arrival_ms", "cost", "mode"]),
  lineOf({}, ["mode", "tenant", "arrival_ms", "cost", "mode"]),
  lineOf({}, [...KEYS, "mode"]),
  lineOf().replace('"req_id":"r"', '":"soft"'),
  lineOf().replace('"tenant":"t"', '":"t"'),
  lineOf().replace('"tenant":"t"', ':"t"'),
  // A name that does not end, though its line might.
  lineOf({ req_id: '"' }, ["tenant", "arrival_ms", "cost", "mode", "req_id"]),
  lineOf().replace('"mode":"hard"', '":"hard"'),
  ...[
    '""',
    `"${"x".repeat(257)}"`,
    '"a\\u0062"',
    '"\u001f"',
    '"\u007f"',
    '"é"',
    "r",
    '"r',
    '"r\u001f',
    '"r\u007f',
  ].flatMap((name) => [lineOf({ req_id: name }), lineOf({ tenant: name })]),
  lineOf({ tenant: '"*"' }),
  ...["", "00", "01", "-1", "1.5", "1e3", "31622400001", "000000000001", "9".repeat(400)].map((arrival_ms) =>
    lineOf({ arrival_ms }),
  ),
  ...[
    "",
    "0",
    "0.0",
    "1.",
    ".5",
    "01",
    "1.2345678",
    "1000000000.000001",
    "1000000001",
    "10000000000000000",
  ].map((cost) => lineOf({ cost })),
  ...['"Soft"', '"har"', "soft", '"softly"', "null"].map((mode) => lineOf({ mode })),
])("whatever needs judgement is left to the parser of lines: %s", (line) => {
  for (const behind of ["", "\n{}"]) expect(new QuickLine().read(bytes(`x\n${line}${behind}`), 2)).toBe(-1);
});

test("ids that come again are bad lines, whichever and however often (§1.3)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 30 }), { maxLength: 100 }), async (ids) => {
      const text = ids
        .map((id, at) => `{"req_id":"${id}","tenant":"t${at}","arrival_ms":1,"cost":1,"mode":"soft"}\n`)
        .join("");
      async function* chunks() {
        yield bytes(text);
      }
      const { rows, skipped } = await readRows(chunks(), () => {});
      const again = ids.flatMap((id, at) => (ids.indexOf(id) < at ? [at + 1] : []));
      expect(Array.from({ length: rows.count }, (_, row) => rows.idText(row))).toEqual(
        [...new Set(ids)].map(String),
      );
      expect(rows.tenants).toHaveLength(rows.count);
      expect([skipped.count, skipped.lines.map(({ line }) => line)]).toEqual([
        again.length,
        again.slice(0, 100),
      ]);
    }),
  );
});
