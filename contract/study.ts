/**
 * Studies: what is worked out from stored inputs beside the rounds themselves. Plain values that travel from the use
 * cases to components; times are milliseconds since the Unix epoch.
 */

/**
 * `faults`: every known fault against one stream. `comparison`: two rounds. `start-states`: a round from full and from
 * empty. `witness`: the smallest stream that still breaks a reserve.
 */
export type StudyKind = "faults" | "comparison" | "start-states" | "witness";
export type StudyState = "waiting" | "running" | "done" | "failed" | "cancelled";

/** How far a running study is, in words and numbers; `total` null where it is not known. */
export interface StudyProgress {
  phase: string;
  done: number;
  total: number | null;
}

/** A study as the pages show it; `result` is there once it is done. */
export interface StudyItem<Result> {
  id: string;
  name: string;
  state: StudyState;
  created_at_ms: number;
  finished_at_ms: number | null;
  progress: StudyProgress | null;
  /** Why there is no result. */
  problem: string | null;
  result: Result | null;
}
