import type { RuleFault } from "./fault.ts";

export const requestAtATime: RuleFault = {
  kind: "rule",
  id: "request-at-a-time",
  clause: "§3.1",
  title: "No atomic groups",
  summary: "Every request is decided alone; its time stays that of its epoch.",
  replaces: "unit",
  rules: () => ({ unit: () => "request" }),
};
