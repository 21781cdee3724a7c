import type { SignalFault } from "./fault.ts";

export const exitZero: SignalFault = {
  kind: "signal",
  id: "exit-zero",
  clause: "§5.4",
  title: "Exit status always 0",
  summary: "The round ends with status 0 whatever was found.",
  replaces: "exitStatus",
  signals: () => ({ exitStatus: () => 0 }),
};
