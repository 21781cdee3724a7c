import type { Rules } from "../engine/rules.ts";
import type { SignalRules } from "./signal-rules.ts";

interface FaultText {
  /** The id of §6. */
  id: string;
  /** The clause it breaks. */
  clause: string;
  /** A few words. */
  title: string;
  /** One sentence: what goes wrong. */
  summary: string;
}

/** A fault of the engine: replaces exactly one of its rules. */
export interface RuleFault extends FaultText {
  kind: "rule";
  replaces: keyof Rules;
  rules(rules: Rules): Partial<Rules>;
}

/** A fault of a signal: falsifies that signal alone (§6). */
export interface SignalFault extends FaultText {
  kind: "signal";
  replaces: keyof SignalRules;
  signals(): Partial<SignalRules>;
}

export type Fault = RuleFault | SignalFault;
