import type { Reason, Verdict } from "../../contract/verdicts.ts";
import { STEP } from "./decide-groups.ts";

/** Verdict of each step of §3.4, by step. */
const VERDICT_OF_STEP: readonly (Verdict | null)[] = [
  null,
  "accepted",
  "accepted",
  "rejected",
  "rejected",
  "queued",
  "rejected",
];

/** 1 for the steps by which a request is accepted, for loops that a name would be too slow for. */
export const IS_ACCEPTED = Uint8Array.from({ length: 2 ** 8 }, (_, step) =>
  VERDICT_OF_STEP[step] === "accepted" ? 1 : 0,
);

export function verdictOf(step: number): Verdict {
  const verdict = VERDICT_OF_STEP[step];
  if (verdict == null) throw new Error(`§3.4 has no step ${step}`);
  return verdict;
}

/** Reason of each step of §3.4: null for what is accepted or queued. */
export function reasonOf(step: number): Reason | null {
  if (step === STEP.exceedsCapacity) return "exceeds_capacity";
  if (step === STEP.expired) return "queue_expired";
  if (step === STEP.insufficient) return "insufficient_tokens";
  return null;
}

/** A wait as a report prints it: null where it has no value (§3.3). */
export const waitOrNull = (wait_ms: number): number | null => (Number.isNaN(wait_ms) ? null : wait_ms);
