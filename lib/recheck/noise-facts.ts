import { type Policy, TEMPLATE, type Tenant } from "../../contract/policy.ts";
import { rateParts } from "../../contract/rate.ts";
import type { RoundFigures } from "../../contract/report.ts";
import type { AmountFacts, NoiseFacts } from "../health/binary-noise.ts";
import type { FindGroup } from "./group-of-request.ts";

/** Operations on an amount besides the one that each request brings: refill, cut, difference, print. */
const FURTHER = 8;

/** A rate in the double that a program in binary64 would have. */
function ratePerSec({ rate, rate_per_sec }: Tenant): number {
  const parts = rate === undefined ? null : rateParts(rate);
  return parts === null ? Number(rate_per_sec ?? 0) : Number(parts.micro) / 1000 / Number(parts.per_ms);
}

/**
 * What the reference found of a round, for telling binary noise from error.
 * @param find the groups' arithmetic, of those whose waits are asked for
 */
export function noiseFacts(policy: Policy, figures: RoundFigures, find: FindGroup): NoiseFacts {
  const listed = new Map(policy.tenants.map((tenant) => [tenant.tenant, tenant]));
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
