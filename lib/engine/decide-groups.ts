import type { Contract } from "../../contract/contract.ts";
import { type Buckets, type Column, type Lane, NEVER } from "./bucket-columns.ts";
import type { Groups } from "./groups.ts";
import type { RefillRule, Rules } from "./rules.ts";

/** The step of §3.4 that decided a group. */
export const STEP = {
  accepted: 1,
  borrowed: 2,
  exceedsCapacity: 3,
  expired: 4,
  queued: 5,
  insufficient: 6,
} as const;

/** What became of each group, as columns by group index. */
export interface GroupDecisions {
  /** 1 … 6, the step of §3.4. */
  step: Uint8Array;
  /** §3.3; NaN where it has no value. For accepted groups 0. */
  wait_ms: Float64Array;
  /** 1 where the group is marked `reserve_breached`. */
  breached: Uint8Array;
  trace: GroupTrace | null;
}

/** The signed balance (§3.2) that each group met, exact, in the unit of its bucket: the rest of its arithmetic follows from it. */
export interface GroupTrace {
  /** Of buckets that are not wide. */
  signedNumber: Float64Array;
  /** Of wide buckets, by group index; empty where none is wide. */
  signedBigint: bigint[];
}

/** What the decide loop works on. */
interface Course {
  grace_ms: number;
  rules: Rules;
  groups: Groups;
  buckets: Buckets;
  refill: RefillRule;
  decisions: GroupDecisions;
}

/** §3.4, steps 2 to 6, for a group that the balance does not cover. Writes the group's wait (§3.3) and mark. */
function judgeShortage<T extends number | bigint>(
  course: Course,
  lane: Lane<T>,
  requiredOf: Column<T>,
  group: number,
  bucket: number,
): number {
  const { rules, groups, buckets, decisions } = course;
  const { arithmetic } = lane;
  const signed = lane.signed[bucket]!;
  const required = requiredOf[group]!;
  if (buckets.guaranteed[bucket] === 1) {
    const balance = rules.balance(arithmetic, signed);
    if (rules.mayBorrow(lane, bucket, balance, course, group)) {
      if (rules.marksBreach()) decisions.breached[group] = 1;
      return STEP.borrowed;
    }
  }
  if (!arithmetic.atLeast(lane.capacity[bucket]!, required)) {
    decisions.wait_ms[group] = Number.NaN;
    return STEP.exceedsCapacity;
  }
  const wait_ms = arithmetic.wait_ms(arithmetic.subtract(required, signed), lane.rate[bucket]!);
  decisions.wait_ms[group] = wait_ms;
  if (rules.expires(wait_ms, course.grace_ms)) return STEP.expired;
  return groups.soft[group] === 1 ? STEP.queued : STEP.insufficient;
}

/**
 * Decides groups start … end − 1, all of buckets in one lane: refilled (§3.2), judged (§3.4), debited once (§3.1).
 * A debit lowers the snapshot and the signed balance. The rules are taken out of their object first, so that the
 * compiler checks once, and not for every group, that they are the ones it has inlined.
 */
function decideRun<T extends number | bigint>(
  course: Course,
  lane: Lane<T>,
  requiredOf: Column<T>,
  traced: Column<T> | null,
  start: number,
  end: number,
): void {
  const { groups, refill } = course;
  const { isFirstDue, isDueAgain, balance } = course.rules;
  const { step: stepOf } = course.decisions;
  const { bucket: bucketOf, time_ms: timeOf } = groups;
  const { refilled_ms: refilledOf } = course.buckets;
  const { arithmetic, snapshot, signed: signedOf, used } = lane;
  const { zero, atLeast, subtract, add } = arithmetic;
  for (let group = start; group < end; group++) {
    const bucket = bucketOf[group]!;
    const required = requiredOf[group]!;
    const time_ms = timeOf[group]!;
    const refilled_ms = refilledOf[bucket]!;
    let signed = signedOf[bucket]!;
    if (refilled_ms === NEVER || isDueAgain(time_ms, refilled_ms, refill)) {
      const isDue = refilled_ms !== NEVER || isFirstDue(time_ms);
      signed = isDue ? refill(lane, bucket, time_ms, refilled_ms) : zero;
      refilledOf[bucket] = time_ms;
      signedOf[bucket] = signed;
    }
    const covers = atLeast(balance(arithmetic, signed), required);
    const step = covers ? STEP.accepted : judgeShortage(course, lane, requiredOf, group, bucket);
    if (step <= STEP.borrowed) {
      snapshot[bucket] = subtract(snapshot[bucket]!, required);
      signedOf[bucket] = subtract(signed, required);
      used[bucket] = add(used[bucket]!, required);
    }
    stepOf[group] = step;
    if (traced !== null) traced[group] = signed;
  }
}

/** Groups decided in one call: many calls of a short loop are compiled better than one call of a long one. */
const RUN = 8192;

/** End of the run of groups from `start` whose buckets are all wide, or all not. */
function runEnd({ groups, buckets }: Course, start: number): number {
  const limit = Math.min(groups.count, start + RUN);
  if (buckets.bigints === null) return limit;
  const kind = buckets.isWide[groups.bucket[start]!];
  let end = start + 1;
  while (end < limit && buckets.isWide[groups.bucket[end]!] === kind) end += 1;
  return end;
}

/** The decide loop: every group in order (§3.5), each by the first step of §3.4 that applies. */
export function decideGroups(
  contract: Contract,
  groups: Groups,
  buckets: Buckets,
  rules: Rules,
  traced: boolean,
): GroupDecisions {
  const { count } = groups;
  const decisions: GroupDecisions = {
    step: new Uint8Array(count),
    wait_ms: new Float64Array(count),
    breached: new Uint8Array(count),
    trace: traced ? { signedNumber: new Float64Array(count), signedBigint: [] } : null,
  };
  const { trace } = decisions;
  const { grace_ms, refill } = contract;
  const course: Course = { grace_ms, rules, groups, buckets, refill: rules.refill(refill), decisions };
  for (let start = 0, end = 0; start < count; start = end) {
    end = runEnd(course, start);
    if (buckets.isWide[groups.bucket[start]!] === 0)
      decideRun(course, buckets.numbers, groups.requiredNumber, trace?.signedNumber ?? null, start, end);
    else decideRun(course, buckets.bigints!, groups.requiredBigint, trace?.signedBigint ?? null, start, end);
  }
  return decisions;
}
