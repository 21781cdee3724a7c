import type { SignalFault } from "./fault.ts";

export const selfReference: SignalFault = {
  kind: "signal",
  id: "self-reference",
  clause: "§5.1",
  title: "Health believes the report",
  summary: "Health takes its expected values from the report that it checks.",
  replaces: "expectedFrom",
  signals: () => ({ expectedFrom: "report" }),
};
