import type { GateConfig } from "../../contract/gate-config.ts";
import type { InputProblem, InputResult } from "../../contract/input.ts";
import { compileSnapshot, type Snapshot } from "./snapshot.ts";

/** A configuration that was validated and compiled, beside the live one (G8). */
export interface Staged {
  readonly config: GateConfig;
  readonly snapshot: Snapshot;
}

/** What an update came to (G8): `version` is the one now live. */
export type Published =
  | { readonly published: true; readonly version: number; readonly config: GateConfig }
  | { readonly published: false; readonly version: number; readonly problems: InputProblem[] };

/** Why an update did not go live (G8). */
export interface Refusal {
  /** `failed`: it could not be kept, or the shared store not be reached. */
  readonly why: "invalid" | "outdated" | "failed";
  /** The version it was made from; null: it was only looked at. */
  readonly from: number | null;
  /** As it came, or in normal form where it is well. */
  readonly config: unknown;
  readonly problems: readonly InputProblem[];
}

/** A configuration ready for a gate, or every problem with its path (G1). */
export function stageConfig(value: unknown, file = "config"): InputResult<Staged> {
  const compiled = compileSnapshot(value, file);
  return compiled.ok
    ? { ok: true, value: { config: compiled.value.config, snapshot: compiled.value } }
    : compiled;
}

/** An update that was made from a version which is no longer live (G8). */
export function outdated(from: number, version: number): Extract<Published, { published: false }> {
  const message = `version ${from} is no longer live; expected ${version}`;
  return { published: false, version, problems: [{ file: "config", path: "", message }] };
}

/** What went wrong with an update that failed. */
export const failure = (error: unknown): InputProblem => ({
  file: "config",
  path: "",
  message: error instanceof Error ? error.message : String(error),
});
