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
