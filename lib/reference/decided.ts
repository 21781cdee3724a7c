import type { Bucket, Unserved } from "./bucket.ts";
import type { Groups } from "./dispatch.ts";
import type { RowTable } from "./row-table.ts";
import type { VerdictTable } from "./verdicts.ts";

/** A recomputed round, packed: what its figures and their canonical text are made from. */
export interface Decided {
  table: RowTable;
  /** Dispatched rows in dispatch order (§3.5). */
  order: Uint32Array;
  /** Rows that are not served (§3.6), by (arrival_ms, req_id). */
  unserved: Uint32Array;
  groups: Groups;
  verdicts: VerdictTable;
  buckets: readonly Bucket[];
  /** Bucket of each tenant of the stream, by its number, or why it has none. */
  bucketOf: readonly (Bucket | Unserved)[];
}
