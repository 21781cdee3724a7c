import type { RuleFault } from "./fault.ts";

export const silentBreach: RuleFault = {
  kind: "rule",
  id: "silent-breach",
  clause: "§3.4",
  title: "Borrowing is not marked",
  summary: "A group that broke the reserve looks like any other accepted group.",
  replaces: "marksBreach",
  rules: () => ({ marksBreach: () => false }),
};
