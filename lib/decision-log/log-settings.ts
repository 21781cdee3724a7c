import type { LogHeader, LogTally } from "../../contract/decision-log.ts";
import type { Statement } from "../gate/stated.ts";

/** Where a log is written, and how much of it is kept. */
export interface DecisionLogSettings {
  /** A folder that holds nothing but decision logs; it is made where it is missing. */
  readonly folder: string;
  /** A file that is about as large is closed, and the next one begun; what a file states at its head does not count. */
  readonly file_bytes: number;
  /** Most files of all logs in the folder; the oldest go first. */
  readonly files: number;
  /** Most bytes that wait to be written; lines beyond are lost, and counted. */
  readonly waiting_bytes: number;
  /** Key of the hashes; absent: a random one. */
  readonly key?: string;
  /** See the header line. */
  readonly store: LogHeader["store"];
  readonly freebies: LogHeader["freebies"];
  /** What the gate says of itself now, told now and then and at the end; null: it tells that by itself. */
  readonly tally: () => Omit<LogTally, "line"> | null;
  /** What the gate knows now, for the head of the next file; null: it is too much, or not its own alone. */
  readonly state: () => Statement | null;
  /** Wall clock, milliseconds. */
  readonly clock: () => number;
}

export const DECISION_LOG_DEFAULTS = {
  file_bytes: 64 * 1024 * 1024,
  files: 16,
  waiting_bytes: 16 * 1024 * 1024,
} as const;

/** How a log fares. `problem`: why lines were lost last; null: none was. */
export interface DecisionLogState {
  readonly folder: string;
  readonly lines: number;
  readonly lost: number;
  readonly problem: string | null;
}
