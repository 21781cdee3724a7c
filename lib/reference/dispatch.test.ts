import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formGroups, sortByArrival, sortForDispatch } from "./dispatch.ts";
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
  // Few and many of one arrival, the last and first values of each digit that is sorted by, the latest arrival, and beyond.
  const edges = [1, 2, 3].flatMap((digits) => [2 ** (11 * digits) - 1, 2 ** (11 * digits)]);
  const spans = [[0, 1], [0, 1000, 2000], [...edges, 0, 2046, 31_622_400_000], [0, 2 ** 44], [7]];
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

  test("rows of one arrival are compared a few times each, however many there are", () => {
    const count = 800;
    const table = tableOf(Array.from({ length: count }, (_, at) => [`r${(at * 4007) % count}`, 7]));
    let compared = 0;
    const compareIds = table.compareIds.bind(table);
    table.compareIds = (a, b) => {
      compared += 1;
      return compareIds(a, b);
    };
    sortByArrival(
      Uint32Array.from({ length: count }, (_, at) => at),
      table,
    );
    expect(compared).toBeLessThan(20 * count);
  });
});

describe("groups (§3.1)", () => {
  const contractOf = (group_by: "epoch" | "request") => ({
    ...{ version: 1, total_ceiling_per_sec: "1", epoch_ms: 1000, grace_ms: 0, refill: "snapshot" as const },
    ...{ group_by, tiers: [{ name: "t", guaranteed: false }] },
  });

  test("of costs that together leave 2^53 millionths are summed exactly (§2)", () => {
    const table = tableOf(Array.from({ length: 21 }, (_, at) => [`r${at}`, at]));
    table.cost_micro.fill(999_999_999_999_999);
    const { demands } = formGroups(
      Uint32Array.from({ length: 21 }, (_, at) => at),
      table,
      contractOf("epoch"),
    );
    expect(demands.required_micro(0)).toBe(21n * 999_999_999_999_999n);
  });

  test("of single requests have no next member", () => {
    const table = tableOf([
      ["a", 1],
      ["b", 1],
    ]);
    const { groups } = formGroups(Uint32Array.of(0, 1), table, contractOf("request"));
    expect([groups.count, groups.next(0), groups.next(1), groups.members(0)]).toEqual([2, -1, -1, 1]);
  });
});
