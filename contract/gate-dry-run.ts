import type { AuditGap } from "./decision-log.ts";

/** What a decision comes to, as far as a dry run compares it. */
export interface DryRunVerdict {
  readonly verdict: "allowed" | "denied" | "challenged" | "error" | "unmatched";
  readonly service: string | null;
  readonly reason: string | null;
  readonly denied_by: readonly string[];
}

/** A request that would have been decided otherwise. */
export interface DryRunFlip {
  readonly file: string;
  readonly line: number;
  /** Milliseconds. */
  readonly at: number;
  readonly path: string;
  /** A hash; null: no address. */
  readonly client: string | null;
  readonly before: DryRunVerdict;
  readonly after: DryRunVerdict;
}

/** How many requests flip, both ways: let through where it was not, and not let through where it was. */
export interface FlipCount {
  readonly service: string | null;
  /** A rule's id, `(room)` where there was none (G6), or the verdict that is no denial; of clients: a hash. */
  readonly name: string;
  readonly newly_allowed: number;
  readonly newly_refused: number;
}

/** What a configuration would have done to a recorded stretch (G8). */
export interface DryRunResult {
  /** Requests that were decided twice, under what was live then and under the configuration. */
  readonly decisions: number;
  /** Requests whose client under the configuration is not in the log: they are in no count below. */
  readonly unknown: number;
  readonly newly_allowed: number;
  readonly newly_refused: number;
  /** Refused either way, but otherwise: by other rules, or challenged in place of denied. */
  readonly otherwise: number;
  readonly before: Readonly<Record<DryRunVerdict["verdict"], number>>;
  readonly after: Readonly<Record<DryRunVerdict["verdict"], number>>;
  /** By the rule that refuses, or refused. */
  readonly rules: readonly FlipCount[];
  /** Those with most flips first; as many as were asked for. */
  readonly clients: readonly FlipCount[];
  readonly first: readonly DryRunFlip[];
  /**
   * Where the stretch begins in the middle of the gate's life: `stated`: with what the gate states of itself there;
   * `full`: nothing is known, and buckets are taken to be full.
   */
  readonly opening: "known" | "stated" | "full";
  readonly span: { readonly from: number; readonly to: number } | null;
  readonly gaps: readonly AuditGap[];
}
