import type { Counts, Decision, RoundFigures, TenantReport } from "../../contract/report.ts";
import type { Bucket, Unserved } from "./bucket.ts";
import type { ServedRow } from "./dispatch.ts";
import { nearest, type Rational } from "./rational.ts";
import type { RequestRow } from "./request-line.ts";
import { balanceOf, type Group, type GroupVerdict } from "./rules.ts";

const MICRO = 1_000_000n;

export const tokensOf = (grains: bigint, bucket: Bucket): number =>
  nearest({ n: grains, d: bucket.grains_per_token });

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

const difference = (a: Rational, b: Rational): Rational => ({ n: a.n > b.n ? a.n - b.n : 0n, d: a.d });

function unservedDecision(row: RequestRow, reason: Unserved): Decision {
  return {
    req_id: row.req_id,
    tenant: row.tenant,
    verdict: "rejected",
    reason,
    wait_ms: null,
    reserve_breached: false,
  };
}

/** The figures of §4 from decided buckets and rows. */
export function figuresOf(
  buckets: readonly Bucket[],
  served: readonly ServedRow[],
  groupOf: readonly Group[],
  verdicts: ReadonlyMap<Group, GroupVerdict>,
  unserved: readonly { row: RequestRow; reason: Unserved }[],
): RoundFigures {
  const decisions = served.map(({ row }, place): Decision => {
    const { verdict, reason, wait_ms, reserve_breached } = verdicts.get(groupOf[place]!)!;
    return { req_id: row.req_id, tenant: row.tenant, verdict, reason, wait_ms, reserve_breached };
  });
  for (const { row, reason } of unserved) decisions.push(unservedDecision(row, reason));
  const counts: Counts = { accepted: 0, queued: 0, rejected: 0, reserve_breached: 0 };
  for (const { verdict } of decisions) counts[verdict] += 1;
  counts.reserve_breached = buckets.filter(({ breached }) => breached).length;
  const capacity = sum(buckets, (bucket) => bucket.capacity);
  const used = sum(buckets, (bucket) => bucket.used);
  const per_tenant: Record<string, TenantReport> = Object.create(null);
  for (const bucket of buckets) per_tenant[bucket.tenant] = tenantReport(bucket);
  return {
    counts,
    totals: {
      capacity: nearest(capacity),
      used: nearest(used),
      over_capacity: nearest(difference(used, capacity)),
    },
    per_tenant,
    dispatch_order: served.map(({ row }) => row.req_id),
    decisions,
  };
}
