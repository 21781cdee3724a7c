import type { Policy, Tenant } from "../../contract/policy.ts";
import type { Opening } from "../../contract/start-states.ts";

/** A tenant's entry with another balance at the start of the round (§1.2). */
function entryOpened(entry: Tenant, opening: Opening): Tenant {
  const changed = { ...entry };
  changed.opening_tokens = opening === "empty" ? "0" : entry.capacity;
  return changed;
}

/** The policy of a round that begins with full, or with empty, buckets; the template's too. */
export function policyOpened(policy: Policy, opening: Opening | undefined): Policy {
  if (opening === undefined) return policy;
  return { tenants: policy.tenants.map((entry) => entryOpened(entry, opening)), denylist: policy.denylist };
}
