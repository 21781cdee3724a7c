import type { AuditResult } from "./decision-log.ts";
import type { GateState, GateVersion } from "./gate-admin.ts";
import type { DryRunResult } from "./gate-dry-run.ts";
import type { InputProblem } from "./input.ts";

/** What came of asking the gate's admin interface. */
export type GateAnswer<T> =
  | { readonly kind: "answer"; readonly value: T }
  /** The gate said no, and why. */
  | { readonly kind: "refused"; readonly status: number; readonly problems: readonly InputProblem[] }
  /** No gate ever ran where the console looks. */
  | { readonly kind: "absent"; readonly folder: string }
  | { readonly kind: "unreachable"; readonly url: string; readonly message: string };

/** The live gate, as the console shows it. */
export interface GateOverview {
  readonly state: GateState;
  /** Newest first. */
  readonly versions: readonly GateVersion[];
}

/** What a number of files of decision logs came to. */
export interface Worked<Result> {
  readonly files: number;
  readonly result: Result;
}

/** An audit of the gate's own log, or of files that were sent; or why there is none (G11). */
export type AuditAnswer = GateAnswer<Worked<AuditResult>>;

/** A dry run, or why there is none (G8). */
export type DryRunAnswer = GateAnswer<Worked<DryRunResult>>;

/** How much of the logs is read, in bytes. */
export interface LogProgress {
  readonly done: number;
  readonly total: number;
}

/** A line of what the console says while it works something out from logs: how far it is, and at last what it came to. */
export type LogWorkLine<Answer> =
  | { readonly kind: "progress"; readonly progress: LogProgress }
  | { readonly kind: "answer"; readonly answer: Answer };
