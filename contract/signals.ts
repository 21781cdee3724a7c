/** The five signals of a round, in the order in which they are shown (§5.5). */
export const SIGNALS = ["report", "exit", "health", "probe", "acceptance"] as const;
export type SignalName = (typeof SIGNALS)[number];

/** What a signal says of a round (§5.5). `unknown`: it could not be found, which is not green. */
export type SignalClaim = "well" | "unwell" | "unknown";

export interface Signal {
  name: SignalName;
  claim: SignalClaim;
  /** What the claim rests on, in words: "214 checks, 0 mismatches". */
  evidence: string;
  /** Whether there is anything behind the claim; a claim on 0 checks is never green. */
  grounded: boolean;
  /** The signal says well while the true recomputation finds a mismatch (§5.5). */
  lies: boolean;
}

/** The five signals of a round, beside what the recomputation truly found (§5.5). */
export interface SignalBoard {
  signals: Signal[];
  /** Differences of the true recomputation; null where it could not be made. */
  true_mismatches: number | null;
  false_green: boolean;
  /** Signals disagree, for whatever reason. */
  disagree: boolean;
}
