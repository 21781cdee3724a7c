import fc from "fast-check";
import { expect, test } from "vitest";
import { TextColumn } from "../../contract/text-column.ts";
import { compareBytes } from "./byte-order.ts";
import { columnsFromRows } from "./columns-from-rows.ts";
import { sortByArrival } from "./dispatch-order.ts";
import { EpochIndex } from "./epoch-index.ts";
import { radixSort } from "./radix-sort.ts";

const compare = (a: string, b: string) => compareBytes(TextColumn.of([a, b]), 0, 1);

test("surrogates sort above the end of the basic plane, as their UTF-8 bytes do (§3.5)", () => {
  expect(compare("\uFFFD", "\u{1F600}")).toBeLessThan(0);
  expect("\uFFFD" < "\u{1F600}").toBe(false);
  expect(compare("\uE000", "\uD7FF")).toBeGreaterThan(0);
  expect(compare("a", "ab")).toBeLessThan(0);
});

test("strings compare as their bytes", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "~", "é", "\uD7FF", "\uE000", "\uFFFD", "\u{10000}", "\u{10FFFF}"),
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compare(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

// Small inputs are compared, large ones distributed: both must be the same stable sort.
test.each([0, 1, 2, 100, 2047, 2048, 5000])("%i keys of up to 53 bits are sorted stably", (length) => {
  for (const largest of [1, 255, 65_535, 65_536, 3_599_999, 31_622_400_000, Number.MAX_SAFE_INTEGER]) {
    const keys = Float64Array.from({ length }, (_, at) => Math.floor(((at * 7919) % 101) * (largest / 100)));
    const indices = Uint32Array.from({ length }, (_, at) => length - 1 - at);
    const expected = [...indices].sort((a, b) => keys[a]! - keys[b]!);
    const given = indices.slice();
    expect([...radixSort(indices, keys)]).toEqual(expected);
    expect(indices).toEqual(given);
  }
});

test("ties of arrival go by id, whatever the size of the round (§3.5)", () => {
  const count = 6000;
  const rows = Array.from({ length: count }, (_, at) => ({
    req_id: `r${(at * 4007) % count}`,
    tenant: "t",
    arrival_ms: ((at * 31) % 50) * 700_000_000,
    cost: "1",
    mode: "soft" as const,
  }));
  const columns = columnsFromRows(rows);
  const all = Uint32Array.from(rows, (_, at) => at);
  const expected = [...all].sort(
    (a, b) =>
      rows[a]!.arrival_ms - rows[b]!.arrival_ms ||
      Buffer.compare(Buffer.from(rows[a]!.req_id), Buffer.from(rows[b]!.req_id)),
  );
  expect([...sortByArrival(all, columns)]).toEqual(expected);
});

test("ties are compared a few times each, however many there are", () => {
  const count = 2000;
  const columns = columnsFromRows(
    Array.from({ length: count }, (_, at) => ({
      ...{ req_id: `r${(at * 4007) % count}`, tenant: "t", arrival_ms: 7, cost: "1", mode: "soft" as const },
    })),
  );
  let compared = 0;
  const { bytes } = columns.reqId;
  const reqId = Object.defineProperty(columns.reqId, "bytes", {
    get: () => {
      compared += 1;
      return bytes;
    },
  });
  sortByArrival(
    Uint32Array.from({ length: count }, (_, at) => at),
    { ...columns, reqId },
  );
  expect(compared).toBeLessThan(20 * count);
});

test("a group of an epoch is found again also where times go back (§3.1)", () => {
  const visit = fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 5 }));
  fc.assert(
    fc.property(fc.array(visit, { maxLength: 40 }), (visits) => {
      const index = new EpochIndex(3, visits.length);
      const known = new Map<string, number>();
      for (const [bucket, time_ms] of visits) {
        const key = `${bucket} ${time_ms}`;
        const expected = known.get(key) ?? known.size;
        expect(index.groupAt(bucket, time_ms, known.size)).toBe(expected);
        known.set(key, expected);
      }
    }),
  );
});
