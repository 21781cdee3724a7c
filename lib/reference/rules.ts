import type { Contract } from "../../contract/contract.ts";
import type { Reason, Verdict } from "../../contract/report.ts";
import type { Bucket } from "./bucket.ts";

/** What is admitted as one unit (§3.1); `required` in grains of its bucket. */
export interface Group {
  bucket: Bucket;
  time_ms: number;
  required: bigint;
  soft: boolean;
  members: string[];
}

/** What became of a group (§3.4). */
export interface GroupVerdict {
  step: 1 | 2 | 3 | 4 | 5 | 6;
  verdict: Verdict;
  reason: Reason | null;
  wait_ms: number | null;
  reserve_breached: boolean;
}

const zeroAtLeast = (amount: bigint): bigint => (amount < 0n ? 0n : amount);
const atMost = (amount: bigint, limit: bigint): bigint => (amount > limit ? limit : amount);

/** §3.2: the balance is what is compared and reported; the signed balance carries the debt. */
export const balanceOf = (bucket: Bucket): bigint => zeroAtLeast(bucket.signed);

/** §3.2: at most once for one time; the first group is refilled also where its time is 0. */
export function refill(bucket: Bucket, time_ms: number, contract: Contract): void {
  if (bucket.refilled_ms !== null && time_ms <= bucket.refilled_ms) return;
  if (contract.refill === "snapshot") {
    bucket.signed = atMost(bucket.snapshot + bucket.earns_per_ms * BigInt(time_ms), bucket.capacity);
  } else {
    const elapsed_ms = time_ms - (bucket.refilled_ms ?? 0);
    bucket.signed = atMost(bucket.signed + bucket.earns_per_ms * BigInt(elapsed_ms), bucket.capacity);
  }
  bucket.refilled_ms = time_ms;
}

/** §3.3: ⌈(required − signed balance) / rate⌉; null where the rate is 0 or the wait exceeds 2^53 − 1. */
export function waitOf({ bucket, required }: Group): number | null {
  if (bucket.earns_per_ms === 0n) return null;
  const missing = required - bucket.signed;
  const whole = missing / bucket.earns_per_ms;
  const wait = missing % bucket.earns_per_ms > 0n ? whole + 1n : whole;
  return wait > 2n ** 53n - 1n ? null : Number(wait);
}

/** §3.2: a debit lowers the snapshot and the signed balance. */
function debit(group: Group): void {
  group.bucket.snapshot -= group.required;
  group.bucket.signed -= group.required;
  group.bucket.used += group.required;
}

const rejected = (step: 3 | 4 | 6, reason: Reason, wait_ms: number | null): GroupVerdict => ({
  step,
  verdict: "rejected",
  reason,
  wait_ms,
  reserve_breached: false,
});

/** §3.4: the first step that applies, on a refilled bucket. Accepted groups are debited once (§3.1). */
export function decide(group: Group, grace_ms: number): GroupVerdict {
  const { bucket, required, soft } = group;
  const balance = balanceOf(bucket);
  const accepted = { verdict: "accepted", reason: null, wait_ms: 0 } as const;
  if (balance >= required) {
    debit(group);
    return { ...accepted, step: 1, reserve_breached: false };
  }
  if (bucket.guaranteed && balance >= bucket.reserve) {
    debit(group);
    bucket.breached = true;
    return { ...accepted, step: 2, reserve_breached: true };
  }
  if (required > bucket.capacity) return rejected(3, "exceeds_capacity", null);
  const wait_ms = waitOf(group);
  if (wait_ms === null || wait_ms > grace_ms) return rejected(4, "queue_expired", wait_ms);
  if (soft) return { step: 5, verdict: "queued", reason: null, wait_ms, reserve_breached: false };
  return rejected(6, "insufficient_tokens", wait_ms);
}
