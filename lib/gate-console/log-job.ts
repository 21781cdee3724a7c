import type { AuditResult } from "../../contract/decision-log.ts";
import type { GateConfig } from "../../contract/gate-config.ts";
import type { LogProgress } from "../../contract/gate-console.ts";
import type { DryRunResult } from "../../contract/gate-dry-run.ts";

/** A file of a decision log as it is now: what is appended while it is read is left for the next time. */
export interface LogFilePart {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

/** What is asked of a process that reads decision logs; `first`: how many differences, or flips and clients, are told. */
export type LogJob = { readonly files: readonly LogFilePart[]; readonly first: number } & (
  | { readonly kind: "audit"; readonly isOpen: boolean }
  | { readonly kind: "dry-run"; readonly config: GateConfig }
);

/** What such a process says. */
export type LogMessage =
  | { readonly kind: "progress"; readonly progress: LogProgress }
  | { readonly kind: "done"; readonly result: AuditResult | DryRunResult };
