import type Database from "better-sqlite3";
import type { Page } from "../../contract/round-view.ts";

/** A condition and what is bound in it. */
export type Condition = [sql: string, ...values: (string | number)[]];

export interface Window {
  limit: number;
  offset: number;
}

/** Which rows of a table, in which order, and how each is shown. */
export interface Selection<Row, Shown> {
  table: string;
  conditions: Condition[];
  order: string;
  show: (row: Row) => Shown;
}

/** Totals remembered of one view; a reader scrolls through few selections at a time. */
const TOTALS_KEPT = 200;

function whereOf(conditions: Condition[]): { where: string; values: (string | number)[] } {
  return {
    where: conditions.length === 0 ? "" : `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}`,
    values: conditions.flatMap(([, ...bound]) => bound),
  };
}

/** Pages through the tables of a view, which never changes: so a total is counted once. */
export class ViewPages {
  private readonly database: Database.Database;
  private readonly totals = new Map<string, number>();

  constructor(database: Database.Database) {
    this.database = database;
  }

  /** A window of the selected rows, and how many there are in all. */
  page<Row, Shown>(selection: Selection<Row, Shown>, window: Window): Page<Shown> {
    return { rows: this.rows(selection, window), total: this.total(selection) };
  }

  /** A window of the selected rows. The inner query skips through an index; only the window's rows are read whole. */
  rows<Row, Shown>(
    { table, conditions, order, show }: Selection<Row, Shown>,
    { limit, offset }: Window,
  ): Shown[] {
    const { where, values } = whereOf(conditions);
    const window = `SELECT rowid FROM ${table} ${where} ORDER BY ${order} LIMIT ? OFFSET ?`;
    return (
      this.database
        .prepare(`SELECT * FROM ${table} WHERE rowid IN (${window}) ORDER BY ${order}`)
        .all(...values, limit, offset) as Row[]
    ).map(show);
  }

  /** Where a row stands among the selected ones, from 0; null where it is not one of them. */
  indexOf({ table, conditions, order }: Selection<never, unknown>, rowid: number): number | null {
    const { where, values } = whereOf(conditions);
    const ranked = `SELECT rowid AS id, row_number() OVER (ORDER BY ${order}) - 1 AS at FROM ${table} ${where}`;
    const at = this.database
      .prepare(`SELECT at FROM (${ranked}) WHERE id = ?`)
      .pluck()
      .get(...values, rowid);
    return at === undefined ? null : (at as number);
  }

  /** Every selected row, one at a time; the database is busy until the walk is over. */
  *each<Row, Shown>({ table, conditions, order, show }: Selection<Row, Shown>): Generator<Shown> {
    const { where, values } = whereOf(conditions);
    const rows = this.database.prepare(`SELECT * FROM ${table} ${where} ORDER BY ${order}`);
    for (const row of rows.iterate(...values)) yield show(row as Row);
  }

  private total<Row, Shown>({ table, conditions }: Selection<Row, Shown>): number {
    const { where, values } = whereOf(conditions);
    const key = JSON.stringify([table, where, values]);
    const known = this.totals.get(key);
    if (known !== undefined) return known;
    const total = this.database
      .prepare(`SELECT COUNT(*) FROM ${table} ${where}`)
      .pluck()
      .get(...values) as number;
    this.totals.set(key, total);
    if (this.totals.size > TOTALS_KEPT) this.totals.delete(this.totals.keys().next().value!);
    return total;
  }
}
