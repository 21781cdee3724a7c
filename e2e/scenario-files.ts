import { readFileSync } from "node:fs";

/** A file of the scenario of §7. */
export function scenarioFile(name: string): string {
  return readFileSync(new URL(`../contract/scenario/2026-10-25-1000/${name}`, import.meta.url), "utf8");
}
