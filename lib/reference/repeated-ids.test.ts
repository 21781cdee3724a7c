import { expect, test } from "vitest";
import { repeatedIds } from "./repeated-ids.ts";
import { RowTable } from "./row-table.ts";

function tableOf(ids: readonly string[]): RowTable {
  const table = new RowTable();
  ids.forEach((id, at) => {
    const bytes = new TextEncoder().encode(`${id}t`);
    const names = {
      bytes,
      id_start: 0,
      id_end: bytes.length - 1,
      tenant_start: bytes.length - 1,
      tenant_end: bytes.length,
    };
    table.add({ ...names, arrival_ms: 0, cost_micro: 1, soft: true }, at + 1);
  });
  return table;
}

/** How often two ids were compared on the way. */
function comparisons(table: RowTable): { compared: () => number } {
  let compared = 0;
  const compareIds = table.compareIds.bind(table);
  table.compareIds = (a, b) => {
    compared += 1;
    return compareIds(a, b);
  };
  return { compared: () => compared };
}

test("no id at all, and each again, whether its row is the next or far behind", () => {
  expect(repeatedIds(tableOf([]))).toEqual([]);
  expect(repeatedIds(tableOf(["a"]))).toEqual([]);
  expect(repeatedIds(tableOf(["a", "a", "b", "a", "b"]))).toEqual([1, 3, 4]);
});

test("ids that begin alike, end alike or are turned round are not the same", () => {
  const ids = ["a", "ab", "abc", "b", "bc", "c", "cb", "cba", "ba", "aa", "aaa", "aaaa"];
  expect(repeatedIds(tableOf(ids))).toEqual([]);
  expect(repeatedIds(tableOf([...ids, ...ids]))).toEqual(ids.map((_, at) => ids.length + at));
});

test.each([
  ["counted", (at: number) => `req-${at}`],
  [
    "different in their first mark only",
    (at: number) => `${String.fromCharCode(0x20 + (at % 90))}${Math.floor(at / 90)}-of-a-round`,
  ],
  [
    "different in their last mark only",
    (at: number) => `of-a-round-${Math.floor(at / 90)}${String.fromCharCode(0x20 + (at % 90))}`,
  ],
])("ids that are %s are told apart by their fingerprints: hardly any two are compared", (_, id) => {
  const count = 1500;
  const table = tableOf(Array.from({ length: count }, (_, at) => id(at)));
  const { compared } = comparisons(table);
  expect(repeatedIds(table)).toEqual([]);
  expect(compared()).toBeLessThan(10);
});
