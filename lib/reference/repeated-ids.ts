import type { RowTable } from "./row-table.ts";

/** Whole numbers up to here are exact in a double. */
const EXACT_BITS = 53;
/** Ids come from strangers: what their fingerprints are cannot be known beforehand. It changes no result. */
const SALT = (Math.random() * 2 ** 31) | 0;

function fingerprint(table: RowTable, row: number): number {
  const { idBytes } = table;
  let print = SALT;
  for (let at = table.idStart(row); at < table.idEnd(row); at++)
    print = Math.imul(print ^ idBytes[at]!, 0x5bd1e995) ^ (print >>> 13);
  print = Math.imul(print ^ (print >>> 16), 0x45d9f3b);
  return (print ^ (print >>> 16)) >>> 0;
}

/**
 * Rows whose id an earlier row has (§1.3), in order. Fingerprint and row are put into one number each, and the numbers
 * are sorted: rows whose ids may be the same then stand side by side, and their bytes tell.
 */
export function repeatedIds(table: RowTable): number[] {
  const { count } = table;
  const rowSpan = 2 ** Math.ceil(Math.log2(count + 1));
  const printSpan = 2 ** Math.min(32, EXACT_BITS - Math.log2(rowSpan));
  const keys = new Float64Array(count);
  for (let row = 0; row < count; row++) keys[row] = (fingerprint(table, row) % printSpan) * rowSpan + row;
  keys.sort();
  const printOf = (key: number) => Math.floor(key / rowSpan);
  const repeated: number[] = [];
  for (let start = 0, end = 0; start < count; start = end) {
    const print = printOf(keys[start]!);
    for (end = start + 1; end < count && printOf(keys[end]!) === print; ) end += 1;
    if (end - start === 1) continue;
    const alike = Array.from(keys.subarray(start, end), (key) => key - print * rowSpan);
    alike.sort((a, b) => table.compareIds(a, b) || a - b);
    for (let at = 1; at < alike.length; at++)
      if (table.compareIds(alike[at - 1]!, alike[at]!) === 0) repeated.push(alike[at]!);
  }
  return repeated.sort((a, b) => a - b);
}
