import { join } from "node:path";
import { projectRoot } from "../settings.ts";

/** The scenario of §7, whose figures the contract states. */
export const SCENARIO = "2026-10-25-1000";

/** The eight faults of the problem state (§7). */
export const PROBLEM_FAULTS = [
  "request-at-a-time",
  "input-order",
  "incremental-refill",
  "fifo-dispatch",
  "reserve-to-zero",
  "silent-breach",
  "queue-forever",
  "denylist-ignored",
] as const;

/** The faults of signals that make the problem state a false green (§7). */
export const FALSE_GREEN_FAULTS = ["hardcoded-ok", "exit-zero", "empty-checks"] as const;

/** Folder of a scenario of the project. */
export function scenarioDir(name: string = SCENARIO): string {
  return join(/* turbopackIgnore: true */ projectRoot(), "contract", "scenario", name);
}

/** Paths of a scenario's three input files. */
export function scenarioFiles(name: string = SCENARIO): { contract: string; policy: string; input: string } {
  const dir = scenarioDir(name);
  return {
    contract: join(dir, "contract.json"),
    policy: join(dir, "policy.json"),
    input: join(dir, "requests.jsonl"),
  };
}
