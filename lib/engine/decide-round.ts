import type { Contract } from "../../contract/contract.ts";
import type { Policy } from "../../contract/policy.ts";
import type { RequestColumns } from "../../contract/request.ts";
import type { Buckets } from "./bucket-columns.ts";
import { openBuckets } from "./buckets.ts";
import { decideGroups, type GroupDecisions } from "./decide-groups.ts";
import { sortByArrival } from "./dispatch-order.ts";
import { formGroups, type Groups } from "./groups.ts";
import { contractRules, type Rules } from "./rules.ts";

/** A decided round, as columns. Requests are indices into `columns`. */
export interface RoundOutcome {
  columns: RequestColumns;
  buckets: Buckets;
  /** Dispatched requests in dispatch order (§3.5). */
  order: Uint32Array;
  /** Requests that are not served (§3.6), by (arrival_ms, req_id). */
  unserved: Uint32Array;
  groups: Groups;
  decisions: GroupDecisions;
  /** The denylist as the rules read it (§3.6). */
  denied: ReadonlySet<string>;
  rules: Rules;
}

/** Request indices whose tenant has a bucket, and the others, in the order of the stream (§3.6). */
function splitServed(
  columns: RequestColumns,
  buckets: Buckets,
): { served: Uint32Array; unserved: Uint32Array } {
  const served = new Uint32Array(columns.count);
  const unserved = new Uint32Array(columns.count);
  let servedCount = 0;
  let unservedCount = 0;
  for (let request = 0; request < columns.count; request++) {
    if (buckets.ofTenant[columns.tenant[request]!]! >= 0) served[servedCount++] = request;
    else unserved[unservedCount++] = request;
  }
  return { served: served.subarray(0, servedCount), unserved: unserved.subarray(0, unservedCount) };
}

/**
 * Decides a round (§3). Pure: no clock, no randomness; the order of the columns changes nothing that the checksum covers.
 * @param rules the contract's, or those with faults injected
 * @param traced keep each group's arithmetic, for people to follow
 */
export function decideRound(
  contract: Contract,
  policy: Policy,
  columns: RequestColumns,
  rules: Rules = contractRules,
  traced = false,
): RoundOutcome {
  const buckets = openBuckets(contract, policy, columns, rules);
  const { served, unserved } = splitServed(columns, buckets);
  const order = rules.dispatchOrder(served, columns, buckets);
  const groups = formGroups(contract, columns, order, buckets, rules.unit(contract.group_by));
  const decisions = decideGroups(contract, groups, buckets, rules, traced);
  return {
    columns,
    buckets,
    order,
    unserved: sortByArrival(unserved, columns),
    groups,
    decisions,
    denied: rules.deniedTenants(policy.denylist),
    rules,
  };
}

/**
 * A decided round with each group's arithmetic: its groups are decided a second time, from the opening balances on. That
 * takes a moment, where keeping the arithmetic from the first time on would take eight bytes a group until somebody
 * wants it. Should anything come out otherwise, the arithmetic would not be that of the report: that is an error.
 */
export function tracedAgain(contract: Contract, policy: Policy, outcome: RoundOutcome): RoundOutcome {
  const { columns, groups, rules, decisions } = outcome;
  const buckets = openBuckets(contract, policy, columns, rules);
  const again = decideGroups(contract, groups, buckets, rules, true);
  for (let group = 0; group < groups.count; group++)
    if (
      again.step[group] !== decisions.step[group] ||
      again.breached[group] !== decisions.breached[group] ||
      !Object.is(again.wait_ms[group], decisions.wait_ms[group])
    )
      throw new Error(`group ${group} was decided otherwise a second time`);
  return { ...outcome, decisions: { ...decisions, trace: again.trace } };
}
