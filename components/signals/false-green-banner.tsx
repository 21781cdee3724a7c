"use client";

import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { RoundSummary } from "../../contract/round-view.ts";
import { disagreementSentence, falseGreenSentence } from "./false-green-sentence.ts";
import { LoudAlert } from "./loud-alert.tsx";

/** What nobody can overlook: a signal says well and is wrong (§5.5); or, quieter, signals that disagree. */
export function FalseGreenBanner({
  summary: { board, truth, skipped },
}: {
  summary: Pick<RoundSummary, "board" | "truth" | "skipped">;
}) {
  if (board.false_green)
    return (
      <LoudAlert title="False green" testId="false-green">
        {falseGreenSentence(board, truth)}
      </LoudAlert>
    );
  if (!board.disagree) return null;
  return (
    <Alert color="yellow" title="Signals disagree" icon={<IconAlertTriangle aria-hidden />}>
      {disagreementSentence(truth, skipped.count)}
    </Alert>
  );
}
