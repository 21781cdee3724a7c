import type { Policy } from "../../contract/policy.ts";
import type { Opening } from "../../contract/start-states.ts";

/** A policy whose every bucket opens full, or empty, whatever it states (§1.2): an absent opening balance is the capacity. */
export function openedAs(policy: Policy, opening: Opening): Policy {
  return {
    ...policy,
    tenants: policy.tenants.map(({ opening_tokens: _, ...tenant }) =>
      opening === "full" ? tenant : { ...tenant, opening_tokens: "0" },
    ),
  };
}
