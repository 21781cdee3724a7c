import { contractRules, type Rules } from "../engine/rules.ts";
import { FAULTS } from "./catalog.ts";
import type { Fault } from "./fault.ts";
import { honestSignals, type SignalRules } from "./signal-rules.ts";

/** Faults that win where two replace the same rule (§6): they are injected last. */
const OVERRIDING = new Set(["input-order", "reserve-to-zero"]);

/** The faults behind ids; an unknown id is an error that lists the known ones. */
export function faultsById(ids: readonly string[]): Fault[] {
  return ids.map((id) => {
    const fault = FAULTS.find((known) => known.id === id);
    if (fault === undefined)
      throw new Error(
        `unknown fault ${JSON.stringify(id)}; known: ${FAULTS.map((known) => known.id).join(", ")}`,
      );
    return fault;
  });
}

/** The contract's rules with faults injected, each in the place of exactly one rule (§6). None: the rules as they are. */
export function injectFaults(ids: readonly string[]): { rules: Rules; signals: SignalRules } {
  const faults = faultsById(ids).sort((a, b) => Number(OVERRIDING.has(a.id)) - Number(OVERRIDING.has(b.id)));
  let rules = contractRules;
  let signals = honestSignals;
  for (const fault of faults) {
    if (fault.kind === "rule") rules = { ...rules, ...fault.rules(rules) };
    else signals = { ...signals, ...fault.signals() };
  }
  return { rules, signals };
}
