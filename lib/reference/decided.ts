import type { Bucket, Unserved } from "./bucket.ts";
import type { Groups } from "./dispatch.ts";
import type { RowTable } from "./row-table.ts";
import type { VerdictTable } from "./verdicts.ts";

/** A decided round, packed: what its rows are made from when they are asked for. */
export interface Judged {
  table: RowTable;
  /** Dispatched rows in dispatch order (§3.5). */
  order: Uint32Array<ArrayBuffer>;
  /** Rows that are not served (§3.6), by (arrival_ms, req_id). */
  unserved: Uint32Array<ArrayBuffer>;
  groups: Groups;
  verdicts: VerdictTable;
  /** Of each tenant of the stream, by its number: the tier of its bucket, or why it has none. */
  bucketOf: readonly (Pick<Bucket, "tier"> | Unserved)[];
}

/** The same with its buckets as they stand: what figures are summed from. */
export interface Decided extends Judged {
  buckets: readonly Bucket[];
  bucketOf: readonly (Bucket | Unserved)[];
}
