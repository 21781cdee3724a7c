import { type Policy, TEMPLATE } from "../../../contract/policy.ts";
import type { RequestColumns } from "../../../contract/request.ts";
import type { UnservedTenants } from "../../../contract/round-view.ts";
import type { Reason } from "../../../contract/verdicts.ts";
import type { KeptOutcome } from "../../engine/decide-round.ts";
import { unservedReason } from "../../engine/round-figures.ts";

/** Counts the requests of tenants that have no bucket (§3.6), by why; null: the tenant has one. */
function count(columns: RequestColumns, reasonOf: (tenant: string) => Reason | null): UnservedTenants {
  const requests = new Float64Array(columns.tenantNames.length);
  for (let at = 0; at < columns.count; at++) requests[columns.tenant[at]!]! += 1;
  const found: UnservedTenants = {
    unknown: { requests: 0, tenants: 0 },
    denylisted: { requests: 0, tenants: 0 },
  };
  columns.tenantNames.forEach((tenant, at) => {
    const reason = requests[at] === 0 ? null : reasonOf(tenant);
    if (reason === null) return;
    const part = reason === "denylisted" ? found.denylisted : found.unknown;
    part.requests += requests[at]!;
    part.tenants += 1;
  });
  return found;
}

/** Whom a decided round did not serve, and with how many requests. */
export function unservedIn(columns: RequestColumns, outcome: KeptOutcome): UnservedTenants {
  const served = new Set(outcome.buckets.names);
  return count(columns, (tenant) => (served.has(tenant) ? null : unservedReason(outcome, tenant)));
}

/** Whom a policy does not serve, and with how many requests. */
export function unservedBy(columns: RequestColumns, { tenants, denylist }: Policy): UnservedTenants {
  const denied = new Set(denylist);
  const listed = new Set(tenants.map(({ tenant }) => tenant));
  return count(columns, (tenant) => {
    if (denied.has(tenant)) return "denylisted";
    return listed.has(TEMPLATE) || listed.has(tenant) ? null : "unknown_tenant";
  });
}
