import type { RowTable } from "./row-table.ts";

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
 * Rows whose id an earlier row has (§1.3), in order. The rows are put one after the other into a table of twice as many
 * places, each at the place of its fingerprint or the next free one: a row whose id is there already is met on the way.
 */
export function repeatedIds(table: RowTable): number[] {
  const { count } = table;
  const mask = 2 ** Math.ceil(Math.log2(2 * count + 1)) - 1;
  /** One more than the row at a place; 0 where it is free. */
  const rowAt = new Uint32Array(mask + 1);
  const prints = new Uint32Array(count);
  const repeated: number[] = [];
  for (let row = 0; row < count; row++) {
    const print = fingerprint(table, row);
    prints[row] = print;
    let place = print & mask;
    let isNew = true;
    for (let other = rowAt[place]!; other > 0 && isNew; other = rowAt[place]!) {
      isNew = prints[other - 1] !== print || table.compareIds(other - 1, row) !== 0;
      place = (place + 1) & mask;
    }
    if (isNew) rowAt[place] = row + 1;
    else repeated.push(row);
  }
  return repeated;
}
