import type { Bound, QueryEngine, RawRow } from "./query-engine.ts";
import type { Window } from "./view-page.ts";

/** A condition and what is bound in it. */
export type Condition = [sql: string, ...values: Bound[]];

/** Which rows of a file, in which order. `order` names columns; where it is missing the rows come as they are stored. */
export interface Selection {
  file: string;
  conditions: Condition[];
  order?: string;
  /** Rows that are alike in the columns asked for are one. */
  grouped?: true;
}

/** Totals remembered of one view; a reader scrolls through few selections at a time. */
const TOTALS_KEPT = 200;
/** Up to so many keys are looked up at once: a window of a page, not a whole table. */
export const MOST_KEYS = 1000;
/** Up to so many rows a selection is narrow, and all of its keys are remembered. */
const MOST_NARROW = 100_000;
/** Narrow selections remembered of one view. */
const NARROW_KEPT = 4;

/** As many marks as there are values, for a list of what may be. */
export const marks = (values: readonly unknown[]): string => values.map(() => "?").join(",");

function whereOf({ file, conditions }: Selection): { from: string; values: Bound[] } {
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.map(([sql]) => sql).join(" AND ")}`;
  return {
    from: `FROM read_parquet(?)${where}`,
    values: [file, ...conditions.flatMap(([, ...bound]) => bound)],
  };
}

/** Queries over the files of one view, which never change: so a total is counted once. */
export class ViewSelections {
  private readonly engine: QueryEngine;
  private readonly totals = new Map<string, number>();
  /** Keys of narrow selections; null of those that are too wide. */
  private readonly narrow = new Map<string, Int32Array | null>();

  constructor(engine: QueryEngine) {
    this.engine = engine;
  }

  /** How many rows are selected. */
  async count(selection: Selection): Promise<number> {
    const { from, values } = whereOf(selection);
    const key = JSON.stringify([from, values]);
    const known = this.totals.get(key);
    if (known !== undefined) return known;
    const [row] = await this.engine.rows(`SELECT count(*)::DOUBLE AS total ${from}`, values);
    const total = row!.total as number;
    this.totals.set(key, total);
    if (this.totals.size > TOTALS_KEPT) this.totals.delete(this.totals.keys().next().value!);
    return total;
  }

  /** Selected rows, or some of their columns. */
  rows<Row = RawRow>(selection: Selection, window?: Window, columns = "*"): Promise<Row[]> {
    const { from, values } = whereOf(selection);
    const group = selection.grouped ? " GROUP BY ALL" : "";
    const order = selection.order === undefined ? "" : ` ORDER BY ${selection.order}`;
    const limit = window === undefined ? "" : " LIMIT ? OFFSET ?";
    return this.engine.rows<Row>(
      `SELECT ${columns} ${from}${group}${order}${limit}`,
      window === undefined ? values : [...values, window.limit, window.offset],
    );
  }

  /** Columns of selected rows, of 32-bit numbers none of which is null; however many they are. */
  wholeNumbers(
    selection: Selection,
    columns: readonly string[],
    limit = Number.MAX_SAFE_INTEGER,
  ): Promise<Int32Array[]> {
    const { from, values } = whereOf(selection);
    const order = selection.order === undefined ? "" : ` ORDER BY ${selection.order}`;
    const sql = `SELECT ${columns.join(", ")} ${from}${order} LIMIT ?`;
    return this.engine.wholeNumbers(sql, [...values, limit], columns.length);
  }

  /** Columns of selected rows, of numbers none of which is null, in pieces. @param expected how many rows they are */
  numbers(selection: Selection, columns: readonly string[], expected: number) {
    const { from, values } = whereOf(selection);
    const order = selection.order === undefined ? "" : ` ORDER BY ${selection.order}`;
    return this.engine.numbers(`SELECT ${columns.join(", ")} ${from}${order}`, values, expected);
  }

  /**
   * A window of a long table by its `key`, a column of whole numbers, each once: first which rows, then these whole. To
   * sort all rows whole, texts with them, would take far longer.
   */
  async window(selection: Selection, key: string, window: Window): Promise<RawRow[]> {
    if (window.limit > MOST_KEYS) return this.rows(selection, window);
    const found = await this.rows<RawRow>(selection, window, key);
    return this.byKeys(
      { ...selection, conditions: [] },
      key,
      found.map((row) => row[key] as number),
    );
  }

  /**
   * A window of a selection that is slow to find but narrow, with its total: its keys are found once, in order, and
   * scrolling through it finds nothing anew. Null where it has too many rows for that.
   */
  async narrowPage(
    selection: Selection,
    key: string,
    { limit, offset }: Window,
  ): Promise<{ rows: RawRow[]; total: number } | null> {
    const keys = limit > MOST_KEYS ? null : await this.keysOf(selection, key);
    if (keys === null) return null;
    const window = keys.subarray(offset, offset + limit);
    return {
      rows: await this.byKeys({ ...selection, conditions: [] }, key, [...window]),
      total: keys.length,
    };
  }

  private async keysOf(selection: Selection, key: string): Promise<Int32Array | null> {
    const name = JSON.stringify([selection, key]);
    const known = this.narrow.get(name);
    if (known !== undefined) return known;
    const [found] = (await this.wholeNumbers(selection, [key], MOST_NARROW + 1)) as [Int32Array];
    const keys = found.length > MOST_NARROW ? null : found;
    this.narrow.set(name, keys);
    if (this.narrow.size > NARROW_KEPT) this.narrow.delete(this.narrow.keys().next().value!);
    return keys;
  }

  /** Rows by their keys. */
  async byKeys(selection: Selection, key: string, keys: readonly number[]): Promise<RawRow[]> {
    if (keys.length === 0) return [];
    const conditions: Condition[] = [...selection.conditions, [`${key} IN (${marks(keys)})`, ...keys]];
    return this.rows({ ...selection, conditions });
  }

  /** Rows whose `key` runs from `first` on, `count` of them; by a file that is sorted by it hardly more is read. */
  range(selection: Selection, key: string, first: number, count: number): Promise<RawRow[]> {
    const conditions: Condition[] = [
      ...selection.conditions,
      [`${key} >= ?`, first],
      [`${key} < ?`, first + count],
    ];
    return this.rows({ ...selection, conditions });
  }

  /** Every selected row in pieces, over a connection of its own. */
  async *walk(selection: Selection): AsyncGenerator<RawRow[]> {
    const expected = await this.count(selection);
    const { from, values } = whereOf(selection);
    const order = selection.order === undefined ? "" : ` ORDER BY ${selection.order}`;
    yield* this.engine.stream(`SELECT * ${from}${order}`, values, expected);
  }
}
