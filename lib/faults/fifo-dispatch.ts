import { sortByArrival } from "../engine/dispatch-order.ts";
import type { RuleFault } from "./fault.ts";

export const fifoDispatch: RuleFault = {
  kind: "rule",
  id: "fifo-dispatch",
  clause: "§3.5",
  title: "Priority is lost",
  summary: "Requests are dispatched by arrival and id alone, whatever their tier.",
  replaces: "dispatchOrder",
  rules: () => ({ dispatchOrder: (served, columns) => sortByArrival(served, columns) }),
};
