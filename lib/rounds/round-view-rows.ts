import type { GroupRow } from "../../contract/group.ts";
import type { Report } from "../../contract/report.ts";
import type { DecisionRow, TenantRow } from "../../contract/round-view.ts";
import type { RoundOutcome } from "../engine/decide-round.ts";

/** Tenants of a decided round as the pages list them. */
export function* tenantRows(outcome: RoundOutcome, report: Report): Generator<TenantRow> {
  const { buckets, groups, decisions } = outcome;
  const groupCount = new Uint32Array(buckets.count);
  const breaches = new Uint32Array(buckets.count);
  for (let group = 0; group < groups.count; group++) {
    groupCount[groups.bucket[group]!]! += 1;
    breaches[groups.bucket[group]!]! += decisions.breached[group]!;
  }
  for (let bucket = 0; bucket < buckets.count; bucket++) {
    const tenant = buckets.names[bucket]!;
    yield {
      tenant,
      ...report.per_tenant[tenant]!,
      tier_rank: buckets.rank[bucket]!,
      guaranteed: buckets.guaranteed[bucket] === 1,
      groups: groupCount[bucket]!,
      breaches: breaches[bucket]!,
    };
  }
}

/** Decisions in the order of the report, with what the stream says of each request. */
export function* decisionRows(outcome: RoundOutcome, report: Report): Generator<DecisionRow> {
  const { columns, buckets, order, unserved } = outcome;
  for (let position = 0; position < report.decisions.length; position++) {
    const decision = report.decisions.at(position)!;
    const isDispatched = position < order.length;
    const request = isDispatched ? order[position]! : unserved[position - order.length]!;
    const bucket = buckets.ofTenant[columns.tenant[request]!]!;
    yield {
      position,
      ...decision,
      tier_rank: bucket < 0 ? null : buckets.rank[bucket]!,
      arrival_ms: columns.arrivalMs[request]!,
      cost: columns.costMicro[request]! / 1e6,
      mode: columns.soft[request] === 1 ? "soft" : "hard",
      file_position: request,
      dispatch_position: isDispatched ? position : null,
    };
  }
}

/** Groups with which side found them. */
export function* sourced<Source extends string>(
  source: Source,
  rows: Iterable<GroupRow>,
): Generator<GroupRow & { source: Source }> {
  for (const row of rows) yield { ...row, source };
}
