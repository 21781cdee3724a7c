import type { RuleFault } from "./fault.ts";

export const negativeBalance: RuleFault = {
  kind: "rule",
  id: "negative-balance",
  clause: "§3.2",
  title: "Debt shown as balance",
  summary: "The signed balance is compared and reported in the place of the balance.",
  replaces: "balance",
  rules: () => ({ balance: (_arithmetic, signed) => signed }),
};
