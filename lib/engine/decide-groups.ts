import type { Contract } from "../../contract/contract.ts";
import { type Buckets, type Lane, NEVER } from "./buckets.ts";
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

/** The arithmetic laid open, as doubles nearest to the exact token amounts. */
export interface GroupTrace {
  signed: Float64Array;
  signedAfter: Float64Array;
  required: Float64Array;
  /** The wait of §3.3 also where a group was accepted; NaN where it has no value. */
  wait_ms: Float64Array;
}

interface Course {
  contract: Contract;
  rules: Rules;
  buckets: Buckets;
  refill: RefillRule;
  decisions: GroupDecisions;
}

/** §3.2: refills a bucket to a group's time, at most once for one time. */
function refillBucket<T extends number | bigint>(
  course: Course,
  lane: Lane<T>,
  bucket: number,
  time_ms: number,
): T {
  const { rules, buckets, refill } = course;
  const refilled_ms = buckets.refilled_ms[bucket]!;
  if (refilled_ms === NEVER) {
    const isDue = rules.isFirstDue(time_ms);
    lane.signed[bucket] = isDue ? refill(lane, bucket, time_ms, refilled_ms) : lane.arithmetic.zero;
    buckets.refilled_ms[bucket] = time_ms;
  } else if (rules.isDueAgain(time_ms, refilled_ms, refill)) {
    lane.signed[bucket] = refill(lane, bucket, time_ms, refilled_ms);
    buckets.refilled_ms[bucket] = time_ms;
  }
  return lane.signed[bucket]!;
}

/** §3.2: a debit lowers the snapshot and the signed balance. */
function debit<T extends number | bigint>(lane: Lane<T>, bucket: number, required: T): void {
  const { arithmetic } = lane;
  lane.snapshot[bucket] = arithmetic.subtract(lane.snapshot[bucket]!, required);
  lane.signed[bucket] = arithmetic.subtract(lane.signed[bucket]!, required);
  lane.used[bucket] = arithmetic.add(lane.used[bucket]!, required);
}

/** §3.4: the first step that applies. Writes the group's wait (§3.3) and mark. */
function decideGroup<T extends number | bigint>(
  course: Course,
  lane: Lane<T>,
  bucket: number,
  group: number,
  required: T,
  soft: boolean,
  signed: T,
): number {
  const { contract, rules, buckets, decisions } = course;
  const { arithmetic } = lane;
  const balance = rules.balance(arithmetic, signed);
  if (arithmetic.atLeast(balance, required)) return STEP.accepted;
  if (buckets.guaranteed[bucket] === 1 && rules.mayBorrow(lane, bucket, balance, buckets)) {
    if (rules.marksBreach()) decisions.breached[group] = 1;
    return STEP.borrowed;
  }
  if (!arithmetic.atLeast(lane.capacity[bucket]!, required)) {
    decisions.wait_ms[group] = Number.NaN;
    return STEP.exceedsCapacity;
  }
  const wait_ms = arithmetic.wait_ms(arithmetic.subtract(required, signed), lane.rate[bucket]!);
  decisions.wait_ms[group] = wait_ms;
  if (rules.expires(wait_ms, contract.grace_ms)) return STEP.expired;
  return soft ? STEP.queued : STEP.insufficient;
}

function traceGroup<T extends number | bigint>(
  trace: GroupTrace,
  lane: Lane<T>,
  bucket: number,
  group: number,
  required: T,
  signed: T,
): void {
  const { arithmetic, unit } = lane;
  trace.signed[group] = arithmetic.tokens(signed, unit[bucket]!);
  trace.signedAfter[group] = arithmetic.tokens(lane.signed[bucket]!, unit[bucket]!);
  trace.required[group] = arithmetic.tokens(required, unit[bucket]!);
  trace.wait_ms[group] = arithmetic.atLeast(signed, required)
    ? 0
    : arithmetic.wait_ms(arithmetic.subtract(required, signed), lane.rate[bucket]!);
}

function settle<T extends number | bigint>(
  course: Course,
  lane: Lane<T>,
  group: number,
  bucket: number,
  time_ms: number,
  required: T,
  soft: boolean,
): void {
  const signed = refillBucket(course, lane, bucket, time_ms);
  const step = decideGroup(course, lane, bucket, group, required, soft, signed);
  if (step <= STEP.borrowed) debit(lane, bucket, required);
  course.decisions.step[group] = step;
  const { trace } = course.decisions;
  if (trace !== null) traceGroup(trace, lane, bucket, group, required, signed);
}

function emptyTrace(count: number): GroupTrace {
  const column = () => new Float64Array(count);
  return { signed: column(), signedAfter: column(), required: column(), wait_ms: column() };
}

/** The decide loop: every group in order (§3.5), refilled, judged and debited once (§3.1–§3.4). */
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
    trace: traced ? emptyTrace(count) : null,
  };
  const course: Course = { contract, rules, buckets, refill: rules.refill(contract.refill), decisions };
  const { numbers, bigints, isWide } = buckets;
  for (let group = 0; group < count; group++) {
    const bucket = groups.bucket[group]!;
    const time_ms = groups.time_ms[group]!;
    const soft = groups.soft[group] === 1;
    if (isWide[bucket] === 0)
      settle(course, numbers, group, bucket, time_ms, groups.requiredNumber[group]!, soft);
    else settle(course, bigints!, group, bucket, time_ms, groups.requiredBigint[group]!, soft);
  }
  return decisions;
}
