import { DuckDBInstance } from "@duckdb/node-api";
import { engineSettings } from "./query-engine.ts";
import type { ViewFiles } from "./view-format.ts";
import type { Window } from "./view-page.ts";
import type { Condition, ViewSelections } from "./view-selection.ts";

/** Orders of the decisions that are kept, by the numbers that stand for them: those whose ranks no column of theirs has. */
const KEPT_ORDERS = ["arrival", "wait"] as const;
export type KeptOrder = (typeof KEPT_ORDERS)[number];

export const isKept = (sort: string): sort is KeptOrder => KEPT_ORDERS.includes(sort as never);

/** Less than other work has: it is done while much of a round is still in memory. */
const MEMORY = "96MB";

/** The positions by one order, with their ranks from 0 on. What has no wait comes last. */
const ranked = (kind: KeptOrder, key: string): string =>
  `SELECT ${KEPT_ORDERS.indexOf(kind)}::UTINYINT AS kind, (row_number() OVER () - 1)::INTEGER AS rank, position
   FROM (SELECT position FROM read_parquet($1) ORDER BY ${key} NULLS LAST, position)`;

const COPY = `COPY (${ranked("arrival", "arrival_ms")} UNION ALL ${ranked("wait", "wait_ms")})
  TO $2 (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, ROW_GROUP_SIZE 32768)`;

/**
 * Writes the orders of a view's decisions, which are written: so that a page of any of them is a range of a file, and
 * nothing is sorted for it.
 * @param temporary a folder for what does not fit the memory; whoever owns it removes it
 */
export async function writeOrders({ decisions, orders }: ViewFiles, temporary: string): Promise<void> {
  const settings = { ...engineSettings(temporary), memory_limit: MEMORY };
  const instance = await DuckDBInstance.create(":memory:", settings);
  const connection = await instance.connect();
  try {
    const count = async (sql: string, values: string[]) =>
      Number((await connection.runAndReadAll(sql, values)).getRows()[0]?.[0]);
    const rows = await count("SELECT count(*) FROM read_parquet($1)", [decisions]);
    const written = await count(COPY, [decisions, orders]);
    if (written !== KEPT_ORDERS.length * rows)
      throw new Error(`the view's orders are of ${rows} decisions, but ${written} rows were written`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** A stretch of ranks: from one on, so many. */
interface Stretch {
  from: number;
  count: number;
}

/**
 * The ranks of a window of an order. Backwards it is the order from behind, but that what has no value comes last either
 * way: then the window can be two stretches.
 * @param total of all rows
 * @param valued of them, how many have a value
 */
export function ranksOf(
  dir: "asc" | "desc",
  { limit, offset }: Window,
  total: number,
  valued: number,
): Stretch[] {
  const end = Math.min(offset + limit, total);
  if (dir === "asc") return [{ from: offset, count: end - offset }].filter(({ count }) => count > 0);
  const [endValued, startRest] = [Math.min(end, valued), Math.max(offset, valued)];
  return [
    { from: valued - endValued, count: endValued - offset },
    { from: total + valued - end, count: end - startRest },
  ].filter(({ count }) => count > 0);
}

/** The positions of a stretch of a kept order, by rank. */
export async function positionsOf(
  selections: ViewSelections,
  file: string,
  order: KeptOrder,
  { from, count }: Stretch,
): Promise<number[]> {
  const conditions: Condition[] = [["kind = ?", KEPT_ORDERS.indexOf(order)]];
  const rows = await selections.range({ file, conditions, order: "rank" }, "rank", from, count);
  return rows.map(({ position }) => position as number);
}
