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

/** A dry run, or why there is none. */
export type DryRunAnswer = GateAnswer<{ readonly files: number; readonly result: DryRunResult }>;

/** An audit of the gate's own log: how many files, and what it came to. */
export type OwnAuditAnswer = GateAnswer<{ readonly files: number; readonly result: AuditResult }>;
