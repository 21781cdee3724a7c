import type { Contract } from "../../contract/contract.ts";
import type { Policy } from "../../contract/policy.ts";
import type { RequestColumns } from "../../contract/request.ts";
import type { Buckets } from "./bucket-columns.ts";
import { openBuckets } from "./buckets.ts";
import { decideGroups, type GroupDecisions } from "./decide-groups.ts";
import { sortByArrival } from "./dispatch-order.ts";
import { formGroups, type Groups, type KnownGroups } from "./groups.ts";
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

/**
 * A decided round without what its groups were decided from: that is found again where it is wanted (`tracedAgain`), and
 * takes 25 bytes a group until then.
 */
export interface KeptOutcome extends Omit<RoundOutcome, "groups"> {
  groups: KnownGroups;
}

/** The same round; whoever holds it holds nothing else of its groups. */
export function keptOutcome({ groups, ...outcome }: RoundOutcome): KeptOutcome {
  const { count, ofDispatched } = groups;
  return { ...outcome, groups: { count, ofDispatched } };
}

/** `keptOutcome` of a round whose groups nobody else holds: their memory is given back at once, not when it is looked for. */
export function letGoGroups(outcome: RoundOutcome): KeptOutcome {
  const { bucket, time_ms, requiredNumber, soft, members } = outcome.groups;
  for (const { buffer } of [bucket, time_ms, requiredNumber, soft, members])
    (buffer as ArrayBuffer).transfer(0);
  return keptOutcome(outcome);
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

/** The groups of a decided round, formed again. They must be those that were decided. */
function formedAgain(contract: Contract, buckets: Buckets, outcome: KeptOutcome): Groups {
  const { columns, order, rules, groups } = outcome;
  const again = formGroups(contract, columns, order, buckets, rules.unit(contract.group_by));
  const isOther = again.ofDispatched.some((group, place) => group !== groups.ofDispatched[place]);
  if (again.count !== groups.count || isOther) throw new Error("groups were formed otherwise a second time");
  return again;
}

/**
 * A decided round with each group's arithmetic: its groups are formed and decided a second time, from the opening
 * balances on. That takes a moment, where keeping all that from the first time on would take 33 bytes a group until
 * somebody wants it. Should anything come out otherwise, the arithmetic would not be that of the report: that is an error.
 */
export function tracedAgain(contract: Contract, policy: Policy, outcome: KeptOutcome): RoundOutcome {
  const { columns, rules, decisions } = outcome;
  const buckets = openBuckets(contract, policy, columns, rules);
  const groups = formedAgain(contract, buckets, outcome);
  const again = decideGroups(contract, groups, buckets, rules, true);
  for (let group = 0; group < groups.count; group++)
    if (
      again.step[group] !== decisions.step[group] ||
      again.breached[group] !== decisions.breached[group] ||
      !Object.is(again.wait_ms[group], decisions.wait_ms[group])
    )
      throw new Error(`group ${group} was decided otherwise a second time`);
  // They are those of the first time: their memory is given back at once, not when it is looked for.
  for (const { buffer } of [again.step, again.breached, again.wait_ms]) (buffer as ArrayBuffer).transfer(0);
  return { ...outcome, groups, decisions: { ...decisions, trace: again.trace } };
}
