/**
 * Start states: a round over a cut-out of traffic does not know how full the buckets were where it begins. It is decided
 * from full and from empty ones, and whatever is not the same is marked. Nothing of this is part of a report (§4).
 */
import type { SideDecision } from "./comparison.ts";
import type { Counts } from "./report.ts";

/** Every bucket at its capacity, or at nothing, in the place of `opening_tokens` (§1.2). */
export const OPENINGS = ["full", "empty"] as const;
export type Opening = (typeof OPENINGS)[number];

/** A request whose decision depends on the start: as stated by the policy, from full, from empty. */
export interface StartStateRow {
  position: number;
  req_id: string;
  tenant: string;
  arrival_ms: number;
  stated: SideDecision;
  full: SideDecision;
  empty: SideDecision;
}

export interface StartStateTenant {
  tenant: string;
  /** Requests that its bucket decides. */
  requests: number;
  depends: number;
  /** Of these with another verdict, not only another reason, wait or mark. */
  flips: number;
  /** Time of the last group that depends; null where none does. From there on the start no longer matters. */
  last_ms: number | null;
}

export interface StartStates {
  /** Requests that a bucket decides; the others cannot depend on one. */
  requests: number;
  depends: number;
  flips: number;
  tenants: number;
  tenants_that_depend: number;
  counts: { stated: Counts; full: Counts; empty: Counts };
  /** Whether the reference, on its own, decides from full and from empty as the engine does. */
  agreed: { full: boolean; empty: boolean };
  /** Requests that were left out as bad lines. */
  skipped: number;
}
