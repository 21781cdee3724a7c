import type { Counts, Decision, RoundFigures, TenantReport, Totals } from "../../contract/report.ts";
import { MadeRows } from "../../contract/rows.ts";
import type { Reason } from "../../contract/verdicts.ts";
import type { Buckets, Lane } from "./bucket-columns.ts";
import { type KeptOutcome, keptOutcome, type RoundOutcome } from "./decide-round.ts";
import { MICRO_PER_TOKEN, microUnits } from "./decimal-units.ts";
import { nearestDouble } from "./nearest-double.ts";
import { reasonOf, verdictOf, waitOrNull } from "./verdict.ts";

/** An exact amount printed in tokens (§2). */
const tokens = (micro: bigint): number => nearestDouble(micro, MICRO_PER_TOKEN);

/** What a bucket's accepted requests cost, in millionths: debits are whole multiples of them. */
export function usedMicro(buckets: Buckets, bucket: number): bigint {
  const used = <T extends number | bigint>(lane: Lane<T>) => {
    const { numerator, denominator } = lane.arithmetic.fraction(lane.used[bucket]!, lane.unit[bucket]!);
    return numerator / denominator;
  };
  return buckets.isWide[bucket] === 1 ? used(buckets.bigints!) : used(buckets.numbers);
}

/** Balance after a bucket's last decision, else at opening (§4), tokens. */
function closingTokens(outcome: RoundOutcome, bucket: number): number {
  const { buckets, rules } = outcome;
  const closing = <T extends number | bigint>({ arithmetic, signed, unit }: Lane<T>) =>
    arithmetic.tokens(rules.balance(arithmetic, signed[bucket]!), unit[bucket]!);
  return buckets.isWide[bucket] === 1 ? closing(buckets.bigints!) : closing(buckets.numbers);
}

/** §3.6: why a tenant is not served; the denylist wins over the tenant list and the template. */
export const unservedReason = ({ denied }: Pick<RoundOutcome, "denied">, tenant: string): Reason =>
  denied.has(tenant) ? "denylisted" : "unknown_tenant";

/** The decision at a place of the report (§4): the dispatched in dispatch order, then the rest. */
function decisionAt(outcome: KeptOutcome, place: number): Decision {
  const { columns, groups, decisions: decided, order, unserved } = outcome;
  const isDispatched = place < order.length;
  const request = isDispatched ? order[place]! : unserved[place - order.length]!;
  const tenant = columns.tenantNames[columns.tenant[request]!]!;
  const req_id = columns.reqId.at(request);
  if (!isDispatched)
    return {
      req_id,
      tenant,
      verdict: "rejected",
      reason: unservedReason(outcome, tenant),
      wait_ms: null,
      reserve_breached: false,
    };
  const group = groups.ofDispatched[place]!;
  const step = decided.step[group]!;
  return {
    req_id,
    tenant,
    verdict: verdictOf(step),
    reason: reasonOf(step),
    wait_ms: waitOrNull(decided.wait_ms[group]!),
    reserve_breached: decided.breached[group] === 1,
  };
}

function emptyTenant(outcome: RoundOutcome, bucket: number): TenantReport {
  const tenant = outcome.buckets.tenants[bucket]!;
  return {
    tier: tenant.tier,
    capacity: tokens(microUnits(tenant.capacity)),
    opening_tokens: tokens(microUnits(tenant.opening_tokens ?? tenant.capacity)),
    closing_tokens: closingTokens(outcome, bucket),
    reserve_tokens: tokens(microUnits(tenant.reserve_tokens ?? "0")),
    reserve_breached: false,
    used: tokens(usedMicro(outcome.buckets, bucket)),
    accepted: 0,
    queued: 0,
    rejected: 0,
  };
}

/** Every bucket's figures (§4), by bucket index. */
function tenantReports(outcome: RoundOutcome): TenantReport[] {
  const { buckets, groups, decisions: decided } = outcome;
  const reports = buckets.names.map((_, bucket) => emptyTenant(outcome, bucket));
  for (let group = 0; group < groups.count; group++) {
    const report = reports[groups.bucket[group]!]!;
    const verdict = verdictOf(decided.step[group]!);
    const members = groups.members[group]!;
    // By name: a field that is looked up by a text costs as much as all the rest.
    if (verdict === "accepted") report.accepted += members;
    else if (verdict === "queued") report.queued += members;
    else report.rejected += members;
    if (decided.breached[group] === 1) report.reserve_breached = true;
  }
  return reports;
}

function counts(outcome: RoundOutcome, reports: TenantReport[]): Counts {
  const sum = (field: "accepted" | "queued" | "rejected") =>
    reports.reduce((total, report) => total + report[field], 0);
  return {
    accepted: sum("accepted"),
    queued: sum("queued"),
    rejected: sum("rejected") + outcome.unserved.length,
    reserve_breached: reports.filter((report) => report.reserve_breached).length,
  };
}

/** §4 `totals`: sums are exact, and rounded once when printed. */
function totals({ buckets }: RoundOutcome): Totals {
  let capacity = 0n;
  let used = 0n;
  for (let bucket = 0; bucket < buckets.count; bucket++) {
    capacity += microUnits(buckets.tenants[bucket]!.capacity);
    used += usedMicro(buckets, bucket);
  }
  const over = used > capacity ? used - capacity : 0n;
  return { capacity: tokens(capacity), used: tokens(used), over_capacity: tokens(over) };
}

/** The figures that the checksum covers (§4); its rows are made when they are asked for. */
export function roundFigures(outcome: RoundOutcome): RoundFigures {
  const reports = tenantReports(outcome);
  // The rows are asked for long after the groups are let go.
  const kept = keptOutcome(outcome);
  const { columns, order, unserved } = kept;
  // Without a prototype: `__proto__` is a tenant like any other (§1.4).
  const per_tenant: Record<string, TenantReport> = Object.create(null);
  outcome.buckets.names.forEach((name, bucket) => {
    per_tenant[name] = reports[bucket]!;
  });
  return {
    counts: counts(outcome, reports),
    totals: totals(outcome),
    per_tenant,
    dispatch_order: new MadeRows(order.length, (place) => columns.reqId.at(order[place]!)),
    decisions: new MadeRows(order.length + unserved.length, (place) => decisionAt(kept, place)),
  };
}
