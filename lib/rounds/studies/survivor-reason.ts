import type { Contract } from "../../../contract/contract.ts";
import { type Policy, TEMPLATE } from "../../../contract/policy.ts";
import type { RoundOutcome } from "../../engine/decide-round.ts";

/** What tells why a fault changes nothing: the round as it was honestly decided. */
export interface HonestRound {
  contract: Contract;
  policy: Policy;
  outcome: RoundOutcome;
}

type Reason = (round: HonestRound) => string | null;

const COVERED = 1;
const BORROWED = 2;
const EXPIRED = 4;

const some = (values: Iterable<number>, test: (value: number) => boolean): boolean => {
  for (const value of values) if (test(value)) return true;
  return false;
};

const steps = ({ outcome: { decisions, groups } }: HonestRound) => decisions.step.subarray(0, groups.count);
/** Whether some group of a guaranteed tenant met a balance below what it required: only then a reserve is looked at. */
const hasShortGuaranteed = ({ outcome: { buckets, groups, decisions } }: HonestRound): boolean => {
  for (let group = 0; group < groups.count; group++)
    if (buckets.guaranteed[groups.bucket[group]!] === 1 && decisions.step[group]! > COVERED) return true;
  return false;
};

/** Ranks whose buckets have a group. */
const ranksMet = ({ outcome: { buckets, groups } }: HonestRound): Set<number> =>
  new Set(groups.bucket.subarray(0, groups.count).map((bucket) => buckets.rank[bucket]!));

const isGuaranteed = ({ outcome }: HonestRound) => some(outcome.buckets.guaranteed, (flag) => flag === 1);
const isSnapshot = ({ contract }: HonestRound) => contract.refill === "snapshot";

/** Whether two groups of one bucket have one time. */
function hasSameTime({ outcome: { groups } }: HonestRound): boolean {
  const last = new Map<number, number>();
  for (let group = 0; group < groups.count; group++) {
    if (last.get(groups.bucket[group]!) === groups.time_ms[group]) return true;
    last.set(groups.bucket[group]!, groups.time_ms[group]!);
  }
  return false;
}

/** Why a stream cannot show a fault, where that can be told from the round: what the broken rule never meets. */
const REASONS: ReadonlyMap<string, Reason> = new Map<string, Reason>([
  [
    "request-at-a-time",
    ({ contract, outcome }) =>
      contract.group_by === "request"
        ? "The contract groups by request: each is decided alone anyhow."
        : some(outcome.groups.members.subarray(0, outcome.groups.count), (members) => members > 1)
          ? null
          : "No group has a second member: no tenant has two requests in one epoch.",
  ],
  [
    "input-order",
    ({ outcome: { order } }) =>
      order.every((request, place) => place === 0 || order[place - 1]! < request)
        ? "The lines stand in the order of dispatch already."
        : null,
  ],
  [
    "fifo-dispatch",
    (round) =>
      ranksMet(round).size === 1 ? "All requests are of one rank: there is no priority to lose." : null,
  ],
  [
    "incremental-refill",
    (round) =>
      isSnapshot(round)
        ? "No bucket that was at its capacity is short of tokens later."
        : "The contract refills continuously: adding what has come is its rule.",
  ],
  [
    "double-refill",
    (round) =>
      !isSnapshot(round)
        ? "The contract refills continuously: a second refill at one time adds nothing."
        : hasSameTime(round)
          ? null
          : "No two groups of one tenant have one time.",
  ],
  [
    "zero-sentinel",
    ({ outcome: { groups } }) =>
      some(groups.time_ms.subarray(0, groups.count), (time_ms) => time_ms === 0)
        ? null
        : "No group has the time 0.",
  ],
  [
    "reserve-to-zero",
    (round) =>
      isGuaranteed(round)
        ? "No guaranteed tenant lacks tokens while its balance is between 0 and its reserve."
        : "No bucket is of a guaranteed tier.",
  ],
  [
    "silent-breach",
    (round) =>
      some(steps(round), (step) => step === BORROWED) ? null : "No reserve is breached: nobody borrows.",
  ],
  [
    "global-reserve-pool",
    (round) =>
      !isGuaranteed(round)
        ? "No bucket is of a guaranteed tier: there is no reserve to pool."
        : hasShortGuaranteed(round)
          ? null
          : "No guaranteed tenant lacks tokens: nobody asks for a reserve.",
  ],
  [
    "queue-forever",
    (round) =>
      some(steps(round), (step) => step === EXPIRED) ? null : "Nothing waits longer than the grace.",
  ],
  [
    "denylist-ignored",
    ({ policy, outcome: { columns } }) =>
      policy.denylist.length === 0
        ? "The denylist is empty."
        : columns.tenantNames.some((name) => policy.denylist.includes(name))
          ? policy.tenants.some(({ tenant }) => tenant === TEMPLATE)
            ? null
            : "The denied tenants that send requests have no other entry in the policy."
          : "No denylisted tenant sends a request.",
  ],
  ["float-arithmetic", () => "No amount of this stream is told wrongly by a double."],
  [
    "negative-balance",
    (round) =>
      some(steps(round), (step) => step === BORROWED)
        ? "No debt is left when a group is judged, or at the end."
        : "Nobody borrows, so that no balance is below 0.",
  ],
]);

/** Why a fault of a rule changes nothing on a round, in a sentence. */
export function survivorReason(fault: string, round: HonestRound): string {
  return (
    REASONS.get(fault)?.(round) ??
    (round.outcome.columns.count === 0
      ? "The stream holds no request: the rule that it breaks is never met."
      : "The rule that it breaks is met, and by chance comes to the same on every request.")
  );
}
