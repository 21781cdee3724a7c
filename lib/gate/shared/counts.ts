import type { StoreState } from "../store.ts";

const FIELDS = 9;

/** What the counting script answers, by service: name, buckets, the ledger's five counts, evictions full and lossy. */
export function countsFrom(fields: readonly string[]): Map<string, StoreState & { buckets: number }> {
  const counts = new Map<string, StoreState & { buckets: number }>();
  for (let at = 0; at < fields.length; at += FIELDS) {
    const [buckets, reserved, committed, cancelled, expired, outstanding, full, lossy] = fields
      .slice(at + 1, at + FIELDS)
      .map(Number) as [number, number, number, number, number, number, number, number];
    counts.set(fields[at]!, {
      buckets,
      ledger: { reserved, committed, cancelled, expired, outstanding },
      evictions: { full, lossy },
    });
  }
  return counts;
}
