import type { RuleFault } from "./fault.ts";

export const zeroSentinel: RuleFault = {
  kind: "rule",
  id: "zero-sentinel",
  clause: "§3.2",
  title: "0 stands for never refilled",
  summary: "A first group at time 0 is taken as refilled already and sees a signed balance of 0.",
  replaces: "isFirstDue",
  rules: () => ({ isFirstDue: (time_ms) => time_ms !== 0 }),
};
