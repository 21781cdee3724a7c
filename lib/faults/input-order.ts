import type { RuleFault } from "./fault.ts";

export const inputOrder: RuleFault = {
  kind: "rule",
  id: "input-order",
  clause: "§3.5",
  title: "No sort",
  summary: "The order of lines in the file decides what is dispatched first.",
  replaces: "dispatchOrder",
  rules: () => ({ dispatchOrder: (served) => served.slice() }),
};
