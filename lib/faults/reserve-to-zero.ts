import type { RuleFault } from "./fault.ts";

export const reserveToZero: RuleFault = {
  kind: "rule",
  id: "reserve-to-zero",
  clause: "§3.4",
  title: "Borrowing below the reserve",
  summary: "A guaranteed tenant may borrow while its balance is above 0.",
  replaces: "mayBorrow",
  rules: () => ({ mayBorrow: (_lane, _bucket, balance) => balance > 0 }),
};
