import type { Contract } from "../../contract/contract.ts";
import type { Reason, Verdict } from "../../contract/verdicts.ts";
import type { Bucket } from "./bucket.ts";

/** What became of a group (§3.4), and by which step. */
export interface GroupVerdict {
  readonly step: 1 | 2 | 3 | 4 | 5 | 6;
  readonly verdict: Verdict;
  readonly reason: Reason | null;
  readonly wait_ms: number | null;
  readonly reserve_breached: boolean;
}

/** The same as it is found: the reason follows from the step. */
export type FoundVerdict = Omit<GroupVerdict, "reason">;

/** What is admitted as one unit (§3.1); `required` in grains of its bucket. */
export interface Group {
  readonly bucket: Bucket;
  readonly time_ms: number;
  readonly required: bigint;
  /** Every member may be queued. */
  readonly soft: boolean;
  readonly members: number;
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

const ACCEPTED: FoundVerdict = { step: 1, verdict: "accepted", wait_ms: 0, reserve_breached: false };
const BREACHED: FoundVerdict = { ...ACCEPTED, step: 2, reserve_breached: true };

const rejected = (step: 3 | 4 | 6, wait_ms: number | null): FoundVerdict => ({
  step,
  verdict: "rejected",
  wait_ms,
  reserve_breached: false,
});

/** §3.4: the first step that applies, on a refilled bucket. */
function verdictOf(group: Group, grace_ms: number): FoundVerdict {
  const { bucket, required, soft } = group;
  const balance = balanceOf(bucket);
  if (balance >= required) return ACCEPTED;
  if (bucket.guaranteed && balance >= bucket.reserve) return BREACHED;
  if (required > bucket.capacity) return rejected(3, null);
  const wait_ms = waitOf(group);
  if (wait_ms === null || wait_ms > grace_ms) return rejected(4, wait_ms);
  if (soft) return { step: 5, verdict: "queued", wait_ms, reserve_breached: false };
  return rejected(6, wait_ms);
}

/** Decides a group whose bucket was refilled. One verdict for all members; what is accepted is debited once (§3.1). */
export function decide(group: Group, grace_ms: number): FoundVerdict {
  const { bucket, members } = group;
  const found = verdictOf(group, grace_ms);
  if (found.verdict === "accepted") debit(group);
  if (found.reserve_breached) bucket.breached = true;
  bucket[found.verdict] += members;
  return found;
}
