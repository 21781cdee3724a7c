/** One place where the report and the reference differ. A value that is not there is absent. */
export interface ProbeMismatch {
  /** `decisions[3].wait_ms`, `per_tenant["t-alpha"].used`. */
  path: string;
  reported?: unknown;
  expected?: unknown;
}

/** What the probe found (§5.5). `unjudged`: it could not compare, which is neither well nor unwell. */
export interface ProbeOutcome {
  result: "ok" | "bad" | "unjudged";
  /** Values compared; 0 only where nothing was judged. */
  compared: number;
  /** The first of them, at most `MISMATCHES_LISTED`. */
  mismatches: ProbeMismatch[];
  /** All of them. */
  mismatchCount: number;
  /** Why nothing was judged. */
  message?: string;
}

/** Mismatches that are listed one by one; all are counted. */
export const MISMATCHES_LISTED = 1000;

export const unjudged = (message: string): ProbeOutcome => ({
  result: "unjudged",
  compared: 0,
  mismatches: [],
  mismatchCount: 0,
  message,
});

/** 0: as the reference found it; 1: not so; 3: could not judge. */
export function probeStatus({ result }: ProbeOutcome): 0 | 1 | 3 {
  if (result === "ok") return 0;
  return result === "bad" ? 1 : 3;
}
