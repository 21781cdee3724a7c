/** What differs between two rounds, A and B. Tokens are doubles nearest to the exact values, as reports print them. */
import type { Counts, Totals } from "./report.ts";
import type { Reason, Verdict } from "./verdicts.ts";

/** `flip`: another verdict; `detail`: the same verdict, another reason, wait or mark; `only_a`, `only_b`: one side has it. */
export const CHANGE_KINDS = ["flip", "detail", "only_a", "only_b"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What one side says of a request. */
export interface SideDecision {
  verdict: Verdict;
  reason: Reason | null;
  wait_ms: number | null;
  reserve_breached: boolean;
}

/** A request that is decided otherwise; a side that lacks it is null. */
export interface ChangeRow {
  position: number;
  req_id: string;
  tenant: string;
  kind: ChangeKind;
  a: SideDecision | null;
  b: SideDecision | null;
}

/** One side's figures of a tenant. */
export interface SideTenant {
  used: number;
  accepted: number;
  queued: number;
  rejected: number;
  reserve_breached: boolean;
}

/** A tenant on both sides; null where a side has no bucket for it. */
export interface TenantChange {
  tenant: string;
  a: SideTenant | null;
  b: SideTenant | null;
  /** Requests with another verdict: accepted by B only, by A only, and the others. */
  gained: number;
  lost: number;
  flips: number;
  /** Requests that only one side has. */
  one_sided: number;
  details: number;
}

/** A field of a contract or policy that differs; its JSON texts, null where a side lacks it. */
export interface DocumentChange {
  path: string;
  a: string | null;
  b: string | null;
}

/** A document on both sides: what differs in it, or why that is not known. */
export type DocumentComparison =
  | { known: true; changes: DocumentChange[]; more: number }
  | { known: false; why: string };

/** A digest on both sides; null where it is not known. */
export interface StreamComparison {
  a: string | null;
  b: string | null;
}

export interface Comparison {
  contract: DocumentComparison;
  policy: DocumentComparison;
  stream: StreamComparison;
  counts: { a: Counts; b: Counts };
  totals: { a: Totals; b: Totals };
  /** Requests that borrowed below a reserve. */
  breaches: { a: number; b: number };
  requests: { a: number; b: number };
  /** Requests by what A and B say of them, those with the same verdict too. */
  verdicts: { a: Verdict; b: Verdict; count: number }[];
  flips: number;
  details: number;
  only_a: number;
  only_b: number;
  /** Whether every decision and every figure of the reports is the same. */
  same: boolean;
}
