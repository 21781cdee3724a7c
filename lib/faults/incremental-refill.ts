import { refillContinuously } from "../engine/rules.ts";
import type { RuleFault } from "./fault.ts";

export const incrementalRefill: RuleFault = {
  kind: "rule",
  id: "incremental-refill",
  clause: "§3.2",
  title: "Refill by adding",
  summary: "A snapshot bucket adds what has come since its last refill, so what was due at its cap is lost.",
  replaces: "refill",
  rules: () => ({ refill: () => refillContinuously }),
};
