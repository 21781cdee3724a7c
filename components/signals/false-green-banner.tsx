"use client";

import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { SignalBoard } from "../../contract/signals.ts";
import { counted } from "../format/format.ts";
import { falseGreenSentence } from "./false-green-sentence.ts";
import { LoudAlert } from "./loud-alert.tsx";

/** What nobody can overlook: a signal says well and is wrong (§5.5); or, quieter, signals that disagree. */
export function FalseGreenBanner({ board }: { board: SignalBoard }) {
  if (board.false_green)
    return (
      <LoudAlert title="False green" testId="false-green">
        {falseGreenSentence(board)}
      </LoudAlert>
    );
  if (!board.disagree) return null;
  return (
    <Alert color="yellow" title="Signals disagree" icon={<IconAlertTriangle aria-hidden />}>
      {board.true_mismatches === null
        ? "The recomputation could not be made: nothing here counts as well."
        : `The independent recomputation found ${counted(board.true_mismatches, "difference")}; not every signal says the same.`}
    </Alert>
  );
}
