import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sortByArrival, sortForDispatch } from "./dispatch.ts";
import { RowTable } from "./row-table.ts";

const encoder = new TextEncoder();

/** A table of rows that have an id and an arrival. */
function tableOf(rows: readonly (readonly [req_id: string, arrival_ms: number])[]): RowTable {
  const table = new RowTable();
  rows.forEach(([req_id, arrival_ms], at) => {
    const bytes = encoder.encode(`${req_id}t`);
    const id_end = bytes.length - 1;
    const names = { bytes, id_start: 0, id_end, tenant_start: id_end, tenant_end: bytes.length };
    table.add({ ...names, arrival_ms, cost_micro: 1, soft: true }, at + 1);
  });
  return table;
}
const compare = (a: string, b: string) =>
  tableOf([
    [a, 0],
    [b, 0],
  ]).compareIds(0, 1);
const bytesOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe("ids by their UTF-8 bytes (§3.5)", () => {
  const unit = fc.constantFrom("a", "b", "é", "\uD7FF", "\uE000", "\uFFFF", "\u{10000}", "😀", "\u{10FFFF}");
  const name = fc.string({ unit, minLength: 1, maxLength: 6 });

  test("agrees with the order of the encoded bytes", () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(Math.sign(compare(a, b))).toBe(Math.sign(bytesOrder(a, b)));
      }),
      { numRuns: 5000 },
    );
  });

  test("a private-use character is before an emoji, though its code unit is larger", () => {
    expect(compare("\uE000", "😀")).toBeLessThan(0);
    expect("\uE000" < "😀").toBe(false);
  });
});

describe("the order of dispatch (§3.5)", () => {
  // Few and many of one arrival, and a span in which arrival and row no longer fit into one number.
  const spans = [[0, 1], [0, 1000, 2000], [0, 2 ** 44], [7]];
  const sizes = spans.flatMap((times) => [5, 40, 800].map((count) => [times, count] as const));
  test.each(sizes)("of arrivals at %j, %i rows", (times, count) => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 20 }), (seed) => {
        const rows = Array.from(
          { length: count },
          (_, at) => [`r${(at * 4007 + seed) % count}`, times[(at * 31) % times.length]!] as const,
        );
        const table = tableOf(rows);
        const rank = (row: number) => (row + seed) % 3;
        const byArrival = (a: number, b: number) =>
          rows[a]![1] - rows[b]![1] || bytesOrder(rows[a]![0], rows[b]![0]);
        const all = Uint32Array.from(rows, (_, at) => at);
        const sorted = all.slice();
        sortByArrival(sorted, table);
        expect(sorted.every((row, at) => at === 0 || byArrival(sorted[at - 1]!, row) < 0)).toBe(true);
        const dispatched = sortForDispatch(all, rank, 3, table);
        const isBefore = (a: number, b: number) => (rank(a) - rank(b) || byArrival(a, b)) < 0;
        expect(dispatched.every((row, at) => at === 0 || isBefore(dispatched[at - 1]!, row))).toBe(true);
        expect(new Set(dispatched).size).toBe(count);
      }),
      { numRuns: count > 100 ? 20 : 100 },
    );
  });
});
