import { refillFromSnapshot } from "../engine/rules.ts";
import type { RuleFault } from "./fault.ts";

export const doubleRefill: RuleFault = {
  kind: "rule",
  id: "double-refill",
  clause: "§3.2",
  title: "Refilled twice for one time",
  summary:
    "A snapshot bucket is refilled again for every group, also one whose time is not later than its last refill.",
  replaces: "isDueAgain",
  rules: ({ isDueAgain }) => ({
    isDueAgain: (time_ms, refilled_ms, refill) =>
      refill === refillFromSnapshot || isDueAgain(time_ms, refilled_ms, refill),
  }),
};
