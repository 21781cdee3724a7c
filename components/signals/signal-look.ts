import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHelpCircle } from "@tabler/icons-react";
import type { Signal, SignalName } from "../../contract/signals.ts";

export const SIGNAL_TITLES: Record<SignalName, string> = {
  report: "Report",
  exit: "Exit",
  health: "Health",
  probe: "Probe",
  acceptance: "Acceptance",
};

/** What a lamp shows: a claim that lies, or stands on nothing, is never green. */
export function signalLook({ claim, grounded, lies }: Pick<Signal, "claim" | "grounded" | "lies">): {
  word: string;
  color: string;
  Icon: typeof IconCircleCheck;
} {
  if (lies) return { word: "says well, falsely", color: "var(--false-green)", Icon: IconAlertTriangle };
  if (claim === "unwell") return { word: "not well", color: "var(--unwell)", Icon: IconCircleX };
  if (claim === "well" && grounded) return { word: "well", color: "var(--well)", Icon: IconCircleCheck };
  return {
    word: claim === "well" ? "no evidence" : "not found",
    color: "var(--unknown)",
    Icon: IconHelpCircle,
  };
}
