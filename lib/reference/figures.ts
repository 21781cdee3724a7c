import type { Counts, Decision, RoundFigures, TenantReport, Totals } from "../../contract/report.ts";
import type { Bucket, Unserved } from "./bucket.ts";
import type { Decided, Judged } from "./decided.ts";
import { nearest, type Rational } from "./rational.ts";
import { OnDemand } from "./rows-on-demand.ts";
import { balanceOf } from "./rules.ts";

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

/** §4: the decision at a place: the dispatched in dispatch order, each with its group's verdict (§3.1), then the rest. */
function decisionAt(decided: Judged, place: number): Decision {
  const { table, order, unserved, groups, verdicts, bucketOf } = decided;
  const isServed = place < order.length;
  const row = isServed ? order[place]! : unserved[place - order.length]!;
  const names = { req_id: table.idText(row), tenant: table.tenantName(row) };
  if (!isServed)
    return {
      ...names,
      verdict: "rejected",
      reason: bucketOf[table.tenant[row]!] as Unserved,
      wait_ms: null,
      reserve_breached: false,
    };
  const { verdict, reason, wait_ms, reserve_breached } = verdicts.at(groups.groupOf(place));
  return { ...names, verdict, reason, wait_ms, reserve_breached };
}

/** §4 `counts`: requests by verdict, and tenants with at least one breach. */
function countsOf({ groups, verdicts, unserved, buckets }: Decided): Counts {
  const counts: Counts = { accepted: 0, queued: 0, rejected: unserved.length, reserve_breached: 0 };
  for (let group = 0; group < groups.count; group++)
    counts[verdicts.at(group).verdict] += groups.members(group);
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

/** The figures of §4 but for its rows, as plain data. */
export type Summary = Omit<RoundFigures, "dispatch_order" | "decisions">;

export function summaryOf(decided: Decided): Summary {
  // Without a prototype: `__proto__` is a tenant like any other (§1.4).
  const per_tenant: Record<string, TenantReport> = Object.create(null);
  for (const bucket of decided.buckets) per_tenant[bucket.tenant] = tenantReport(bucket);
  return { counts: countsOf(decided), totals: totalsOf(decided.buckets), per_tenant };
}

/** The figures of §4; decisions and order are made row by row when they are asked for. */
export interface OpenFigures extends Summary {
  dispatch_order: OnDemand<string>;
  decisions: OnDemand<Decision>;
}

export function figuresOf(decided: Judged, summary: Summary): OpenFigures {
  const { order, unserved, table } = decided;
  return {
    ...summary,
    dispatch_order: new OnDemand(order.length, (place) => table.idText(order[place]!)),
    decisions: new OnDemand(order.length + unserved.length, (place) => decisionAt(decided, place)),
  };
}
