import type { SignalFault } from "./fault.ts";

export const emptyChecks: SignalFault = {
  kind: "signal",
  id: "empty-checks",
  clause: "§5.2",
  title: "No checks, no findings",
  summary: "The check table is empty, and passes.",
  replaces: "checks",
  signals: () => ({ checks: () => ({ table: [], emptyPasses: true }) }),
};
