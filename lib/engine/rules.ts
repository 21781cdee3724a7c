import type { Contract } from "../../contract/contract.ts";
import type { RequestColumns } from "../../contract/request.ts";
import { type Arithmetic, wide } from "./arithmetic.ts";
import type { Buckets, Lane } from "./bucket-columns.ts";
import { claimOk, type OkClaim } from "./claim-ok.ts";
import { sortForDispatch } from "./dispatch-order.ts";
import type { Groups } from "./groups.ts";
import { exactNumbers, type NumberKind } from "./number-kind.ts";

/** How a refill computes the signed balance of a bucket at a time (§3.2). */
export type RefillRule = <T extends number | bigint>(
  lane: Lane<T>,
  bucket: number,
  time_ms: number,
  refilled_ms: number,
) => T;

/** All buckets as they stand while a group is judged; a rule that looks beyond the group's own bucket reads it. */
export interface Standing {
  readonly buckets: Buckets;
  readonly groups: Groups;
  readonly rules: Rules;
}

/**
 * The rules of §3 (and §2, §4), each a function of its own, so that a fault replaces exactly one and leaves the others
 * as they are. The engine calls nothing else to decide.
 */
export interface Rules {
  /** §2: doubles that stay exact. */
  numbers: NumberKind;
  /** §2: what a bucket is widened to. */
  bigints: Arithmetic<bigint>;
  /** §3.1: what is admitted as one unit. */
  unit(groupBy: Contract["group_by"]): Contract["group_by"];
  /** §3.2: whether the first group of a bucket, never refilled before, is refilled at this time. */
  isFirstDue(time_ms: number): boolean;
  /** §3.2: whether a bucket that was refilled before is refilled again. */
  isDueAgain(time_ms: number, refilled_ms: number, refill: RefillRule): boolean;
  /** §3.2: how a bucket fills. */
  refill(kind: Contract["refill"]): RefillRule;
  /** §3.2: what is compared and reported. */
  balance<T extends number | bigint>(arithmetic: Arithmetic<T>, signed: T): T;
  /** §3.4 step 2: whether a group of a guaranteed tier may borrow. */
  mayBorrow<T extends number | bigint>(
    lane: Lane<T>,
    bucket: number,
    balance: T,
    course: Standing,
    group: number,
  ): boolean;
  /** §3.4 step 2: whether borrowing is marked. */
  marksBreach(): boolean;
  /** §3.4 step 4: whether a wait (NaN: none) is too long to queue. */
  expires(wait_ms: number, grace_ms: number): boolean;
  /** §3.5: the served requests (indices into the columns) in the order of dispatch. */
  dispatchOrder(served: Uint32Array, columns: RequestColumns, buckets: Buckets): Uint32Array;
  /** §3.6: the tenants that are not served. */
  deniedTenants(denylist: readonly string[]): ReadonlySet<string>;
  /** §4: the engine's own claim. */
  claimOk(claim: OkClaim): boolean;
}

/** §3.2 `snapshot`: in full from the snapshot and the width since the start, never by adding. */
export const refillFromSnapshot: RefillRule = (lane, bucket, time_ms) => {
  const { arithmetic } = lane;
  const earned = arithmetic.earn(lane.rate[bucket]!, time_ms);
  return arithmetic.min(lane.capacity[bucket]!, arithmetic.add(lane.snapshot[bucket]!, earned));
};

/** §3.2 `continuous`: grows by the time since the last refill, at first since 0, cut at capacity. */
export const refillContinuously: RefillRule = (lane, bucket, time_ms, refilled_ms) => {
  const { arithmetic } = lane;
  const earned = arithmetic.earn(lane.rate[bucket]!, time_ms - (refilled_ms < 0 ? 0 : refilled_ms));
  return arithmetic.min(lane.capacity[bucket]!, arithmetic.add(lane.signed[bucket]!, earned));
};

/** The rules as the contract states them. */
export const contractRules: Rules = {
  numbers: exactNumbers,
  bigints: wide,
  unit: (groupBy) => groupBy,
  isFirstDue: () => true,
  isDueAgain: (time_ms, refilled_ms) => time_ms > refilled_ms,
  refill: (kind) => (kind === "snapshot" ? refillFromSnapshot : refillContinuously),
  balance: (arithmetic, signed) => arithmetic.max(arithmetic.zero, signed),
  mayBorrow: (lane, bucket, balance) => lane.arithmetic.atLeast(balance, lane.reserve[bucket]!),
  marksBreach: () => true,
  // NaN, no wait, compares false with everything: not being within grace is what expires.
  expires: (wait_ms, grace_ms) => !(wait_ms <= grace_ms),
  dispatchOrder: sortForDispatch,
  deniedTenants: (denylist) => new Set(denylist),
  claimOk,
};
