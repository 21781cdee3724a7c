import type { RowTable } from "./row-table.ts";

/** Ids come from strangers: what their fingerprints are cannot be known beforehand. It changes no result. */
const SALT = (Math.random() * 2 ** 31) | 0;

/** Rows whose fingerprints are looked at together: few enough that a table of them stays near the processor. */
const SHELF_ROWS = 1 << 14;
const MOST_SHELVES = 1 << 12;

function fingerprint(table: RowTable, row: number): number {
  const { idBytes } = table;
  const end = table.idEnd(row);
  let print = SALT;
  for (let at = table.idStart(row); at < end; at++)
    print = Math.imul(print ^ idBytes[at]!, 0x5bd1e995) ^ (print >>> 13);
  print = Math.imul(print ^ (print >>> 16), 0x45d9f3b);
  return (print ^ (print >>> 16)) >>> 0;
}

/** The least power of two that is not below a number. */
const powerFrom = (least: number): number => 2 ** Math.ceil(Math.log2(least));

/** Rows by the upper bits of their fingerprints: shelf after shelf, and on each in order. */
interface Shelves {
  /** Where each shelf begins; and behind the last. */
  starts: Uint32Array;
  rows: Uint32Array;
  prints: Uint32Array;
}

function shelved(table: RowTable): Shelves {
  const { count } = table;
  const shelves = Math.min(MOST_SHELVES, powerFrom(Math.ceil(count / SHELF_ROWS) + 1));
  const width = 2 ** 32 / shelves;
  const found = new Uint32Array(count);
  const starts = new Uint32Array(shelves + 1);
  for (let row = 0; row < count; row++) {
    const print = fingerprint(table, row);
    found[row] = print;
    starts[Math.floor(print / width) + 1]! += 1;
  }
  for (let shelf = 0; shelf < shelves; shelf++) starts[shelf + 1]! += starts[shelf]!;
  const next = starts.slice();
  const [rows, prints] = [new Uint32Array(count), new Uint32Array(count)];
  for (let row = 0; row < count; row++) {
    const print = found[row]!;
    const place = next[Math.floor(print / width)]!++;
    rows[place] = row;
    prints[place] = print;
  }
  return { starts, rows, prints };
}

/**
 * Rows whose id an earlier row has (§1.3), in order. Rows of one id are on one shelf. There they are put one after the
 * other into a table of twice as many places, each at the place of its fingerprint or the next free one: a row whose id
 * is there already is met on the way.
 */
export function repeatedIds(table: RowTable): number[] {
  const { starts, rows, prints } = shelved(table);
  /** One more than where on the shelves the row at a place stands; 0 where it is free. */
  let places = new Uint32Array(0);
  const repeated: number[] = [];
  for (let shelf = 0; shelf + 1 < starts.length; shelf++) {
    const [start, end] = [starts[shelf]!, starts[shelf + 1]!];
    const room = powerFrom(2 * (end - start) + 1);
    if (room > places.length) places = new Uint32Array(room);
    else places.fill(0, 0, room);
    for (let at = start; at < end; at++) {
      const print = prints[at]!;
      let place = print & (room - 1);
      let isNew = true;
      for (let other = places[place]!; other > 0 && isNew; other = places[place]!) {
        isNew = prints[other - 1] !== print || table.compareIds(rows[other - 1]!, rows[at]!) !== 0;
        place = (place + 1) & (room - 1);
      }
      if (isNew) places[place] = at + 1;
      else repeated.push(rows[at]!);
    }
  }
  return repeated.sort((a, b) => a - b);
}
