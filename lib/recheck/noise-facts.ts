import type { GroupRow } from "../../contract/group.ts";
import { PlacesById } from "../../contract/places-by-id.ts";
import { type Policy, TEMPLATE, type Tenant } from "../../contract/policy.ts";
import { rateParts } from "../../contract/rate.ts";
import type { RoundFigures } from "../../contract/report.ts";
import type { Rows } from "../../contract/rows.ts";
import type { AmountFacts, NoiseFacts } from "../health/binary-noise.ts";

/** Operations on an amount besides the one that each request brings: refill, cut, difference, print. */
const FURTHER = 8;

/** A rate in the double that a program in binary64 would have. */
function ratePerSec({ rate, rate_per_sec }: Tenant): number {
  const parts = rate === undefined ? null : rateParts(rate);
  return parts === null ? Number(rate_per_sec ?? 0) : Number(parts.micro) / 1000 / Number(parts.per_ms);
}

/** Finds the group of a request. Groups are made again when they are asked for: of ten million requests all would not fit. */
function groupsById(groups: Rows<GroupRow>): (req_id: string) => GroupRow | undefined {
  /** The first member of each group, among those of all, one group after the other. */
  const firstOf = new Uint32Array(groups.length + 1);
  let members = 0;
  let at = 0;
  for (const { req_ids } of groups) {
    members += req_ids.length;
    firstOf[++at] = members;
  }
  const groupOf = new Uint32Array(members);
  for (let group = 0; group < groups.length; group++) groupOf.fill(group, firstOf[group], firstOf[group + 1]);
  let made = -1;
  let row: GroupRow | undefined;
  const rowOf = (member: number): GroupRow => {
    if (groupOf[member] !== made) row = groups.at(groupOf[member]!);
    made = groupOf[member]!;
    return row!;
  };
  const idAt = (member: number) => rowOf(member).req_ids[member - firstOf[groupOf[member]!]!]!;
  const byId = new PlacesById(members, idAt);
  return (req_id) => {
    const member = byId.find(req_id);
    return member < 0 ? undefined : rowOf(member);
  };
}

/**
 * What the reference found of a round, for telling binary noise from error.
 * @param groups their arithmetic, of those whose waits are asked for
 */
export function noiseFacts(policy: Policy, figures: RoundFigures, groups: Rows<GroupRow>): NoiseFacts {
  const listed = new Map(policy.tenants.map((tenant) => [tenant.tenant, tenant]));
  let groupOf: ReturnType<typeof groupsById> | null = null;
  const find = (req_id: string): GroupRow | undefined => {
    groupOf ??= groupsById(groups);
    return groupOf(req_id);
  };
  const tenantFacts = (tenant: string): AmountFacts | null => {
    if (!Object.hasOwn(figures.per_tenant, tenant)) return null;
    const { capacity, used, accepted, queued, rejected } = figures.per_tenant[tenant]!;
    return { scale: capacity + used, operations: accepted + queued + rejected + FURTHER };
  };
  const { capacity, used } = figures.totals;
  return {
    totals: {
      scale: capacity + used,
      operations: figures.decisions.length + Object.keys(figures.per_tenant).length + FURTHER,
    },
    tenant: tenantFacts,
    wait(req_id) {
      const group = find(req_id);
      const known = group === undefined ? null : tenantFacts(group.tenant);
      const tenant = group === undefined ? undefined : (listed.get(group.tenant) ?? listed.get(TEMPLATE));
      if (group === undefined || known === null || tenant === undefined) return null;
      const { required, signed_balance } = group;
      return {
        required,
        signed_balance,
        rate_per_sec: ratePerSec(tenant),
        scale: known.scale + required + Math.abs(signed_balance),
        operations: known.operations,
      };
    },
  };
}
