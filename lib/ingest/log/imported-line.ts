import type { DecimalText } from "../../../contract/decimal.ts";
import type { ImportProblem } from "../../../contract/mapping.ts";

/** A moment, exact to 10⁻¹⁸ s: whole milliseconds since the Unix epoch, and what is above them in 10⁻¹⁸ s (below 10¹⁵). */
export interface Instant {
  ms: number;
  sub: number;
}

/** A request as a line of a log tells it; its arrival becomes relative once the earliest of all is known. */
export interface ImportedRequest {
  reqId: string;
  tenant: string;
  arrived: Instant;
  cost: DecimalText;
  isSoft: boolean;
}

/**
 * Takes what the physical lines of a log became, each exactly once, in order: the seam between reading logs and what
 * is done with the requests.
 */
export interface LineSink {
  /** `text`: the record as the log has it, without its wrapping. */
  request(line: number, request: ImportedRequest, text: string): void;
  problem(problem: ImportProblem): void;
  /** A line that holds no request of its own: empty, a header, the continuation of a record. */
  other(line: number): void;
}

/** Milliseconds from `start` to `at`, rounded down; exact. Negative where `at` is earlier. */
export function elapsedMs(start: Instant, at: Instant): number {
  return at.ms - start.ms - (at.sub < start.sub ? 1 : 0);
}

/** Whether `a` is before `b`. */
export function isBefore(a: Instant, b: Instant): boolean {
  return a.ms < b.ms || (a.ms === b.ms && a.sub < b.sub);
}
