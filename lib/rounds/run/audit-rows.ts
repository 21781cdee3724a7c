import type { GroupRow } from "../../../contract/group.ts";
import type { DecisionRow, TenantRow } from "../../../contract/round-view.ts";
import type { AuditedRound } from "./audit-round.ts";

/** Groups and breaches of each tenant. */
function countGroups(groups: Iterable<GroupRow>): Map<string, { groups: number; breaches: number }> {
  const counts = new Map<string, { groups: number; breaches: number }>();
  for (const { tenant, reserve_breached } of groups) {
    const count = counts.get(tenant) ?? { groups: 0, breaches: 0 };
    count.groups += 1;
    if (reserve_breached) count.breaches += 1;
    counts.set(tenant, count);
  }
  return counts;
}

/** Tenants of an audit as the reference finds them: the report's own figures stand in the diff. */
export function* auditTenantRows({ documents, recomputed }: AuditedRound): Generator<TenantRow> {
  const { figures, groups } = recomputed.reference;
  const { tiers } = documents.contract;
  const counts = countGroups(groups);
  for (const [tenant, row] of Object.entries(figures.per_tenant)) {
    const tier_rank = tiers.findIndex(({ name }) => name === row.tier);
    yield {
      tenant,
      ...row,
      tier_rank,
      guaranteed: tiers[tier_rank]?.guaranteed === true,
      ...(counts.get(tenant) ?? { groups: 0, breaches: 0 }),
    };
  }
}

/** Decisions of an audit as the reference finds them, with what the stream says of each request. */
export function* auditDecisionRows({
  documents,
  columns,
  places,
  recomputed,
}: AuditedRound): Generator<DecisionRow> {
  const { figures } = recomputed.reference;
  const ranks = new Map(documents.contract.tiers.map(({ name }, rank) => [name, rank]));
  for (let position = 0; position < figures.decisions.length; position++) {
    const decision = figures.decisions.at(position)!;
    const place = places[position]!;
    const isDispatched = position < figures.dispatch_order.length;
    const tenant = Object.hasOwn(figures.per_tenant, decision.tenant)
      ? figures.per_tenant[decision.tenant]
      : undefined;
    yield {
      position,
      ...decision,
      tier_rank: isDispatched ? (ranks.get(tenant?.tier ?? "") ?? null) : null,
      arrival_ms: columns.arrivalMs[place]!,
      cost: columns.costMicro[place]! / 1e6,
      mode: columns.soft[place] === 1 ? "soft" : "hard",
      file_position: place,
      dispatch_position: isDispatched ? position : null,
    };
  }
}
