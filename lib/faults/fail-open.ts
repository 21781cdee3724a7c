import type { SignalFault } from "./fault.ts";

export const failOpen: SignalFault = {
  kind: "signal",
  id: "fail-open",
  clause: "§1",
  title: "Falls back to defaults",
  summary: "A contract or policy that is unavailable is replaced by defaults.",
  replaces: "unavailable",
  signals: () => ({ unavailable: "defaults" }),
};
