import type { RuleFault } from "./fault.ts";

export const denylistIgnored: RuleFault = {
  kind: "rule",
  id: "denylist-ignored",
  clause: "§3.6",
  title: "Denylist ignored",
  summary: "The round is judged as if the denylist were empty.",
  replaces: "deniedTenants",
  rules: () => ({ deniedTenants: () => new Set() }),
};
