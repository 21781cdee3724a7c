import type { Counts, Decision, Held, RoundFigures, TenantReport, Totals } from "../../contract/report.ts";
import type { Bucket, Unserved } from "./bucket.ts";
import type { ServedRow } from "./dispatch.ts";
import { nearest, type Rational } from "./rational.ts";
import type { RequestRow } from "./request-line.ts";
import { balanceOf, type Group } from "./rules.ts";

const MICRO = 1_000_000n;

/** Grains of a bucket in tokens, rounded once (§2). */
export const tokensOf = (grains: bigint, bucket: Bucket): number =>
  nearest({ n: grains, d: bucket.grains_per_token });

/** §4: one entry of `per_tenant`. */
function tenantReport(bucket: Bucket): TenantReport {
  return {
    tier: bucket.tier,
    capacity: tokensOf(bucket.capacity, bucket),
    opening_tokens: tokensOf(bucket.opening, bucket),
    closing_tokens: tokensOf(balanceOf(bucket), bucket),
    reserve_tokens: tokensOf(bucket.reserve, bucket),
    reserve_breached: bucket.breached,
    used: tokensOf(bucket.used, bucket),
    accepted: bucket.accepted,
    queued: bucket.queued,
    rejected: bucket.rejected,
  };
}

/** Σ of whole millionths over all buckets, as tokens. */
function sum(buckets: readonly Bucket[], amount: (bucket: Bucket) => bigint): Rational {
  const micro = buckets.reduce((total, bucket) => total + amount(bucket) / bucket.grains_per_micro, 0n);
  return { n: micro, d: MICRO };
}

/** max(0, a − b) of two sums of millionths. */
const excess = (a: Rational, b: Rational): Rational => ({ n: a.n > b.n ? a.n - b.n : 0n, d: MICRO });

/** A request of a tenant that has no bucket (§3.6). */
export interface UnservedRow {
  row: RequestRow;
  reason: Unserved;
}

/** Every member has its group's verdict (§3.1). */
function servedDecision({ row }: ServedRow, { found }: Group): Decision {
  if (found === null) throw new Error(`a group of ${row.tenant} was not decided`);
  const { verdict, reason, wait_ms, reserve_breached } = found;
  return { req_id: row.req_id, tenant: row.tenant, verdict, reason, wait_ms, reserve_breached };
}

const unservedDecision = ({ row, reason }: UnservedRow): Decision => ({
  req_id: row.req_id,
  tenant: row.tenant,
  verdict: "rejected",
  reason,
  wait_ms: null,
  reserve_breached: false,
});

/** §4 `counts`: requests by verdict, and tenants with at least one breach. */
function countsOf(decisions: readonly Decision[], buckets: readonly Bucket[]): Counts {
  const counts: Counts = { accepted: 0, queued: 0, rejected: 0, reserve_breached: 0 };
  for (const { verdict } of decisions) counts[verdict] += 1;
  for (const { breached } of buckets) if (breached) counts.reserve_breached += 1;
  return counts;
}

/** §4 `totals`: sums of exact values, each rounded once (§2). */
function totalsOf(buckets: readonly Bucket[]): Totals {
  const capacity = sum(buckets, (bucket) => bucket.capacity);
  const used = sum(buckets, (bucket) => bucket.used);
  return {
    capacity: nearest(capacity),
    used: nearest(used),
    over_capacity: nearest(excess(used, capacity)),
  };
}

/** The figures of §4 from decided rows, their groups (`groupOf[i]` is that of `served[i]`) and buckets. */
export function figuresOf(
  buckets: readonly Bucket[],
  served: readonly ServedRow[],
  groupOf: readonly Group[],
  unserved: readonly UnservedRow[],
): Held<RoundFigures> {
  const decisions = served.map((row, place) => servedDecision(row, groupOf[place]!));
  for (const row of unserved) decisions.push(unservedDecision(row));
  // Without a prototype: `__proto__` is a tenant like any other (§1.4).
  const per_tenant: Record<string, TenantReport> = Object.create(null);
  for (const bucket of buckets) per_tenant[bucket.tenant] = tenantReport(bucket);
  return {
    counts: countsOf(decisions, buckets),
    totals: totalsOf(buckets),
    per_tenant,
    dispatch_order: served.map(({ row }) => row.req_id),
    decisions,
  };
}
