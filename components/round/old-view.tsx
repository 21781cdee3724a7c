"use client";

import { Alert, Stack, Text, Title } from "@mantine/core";
import type { RoundListItem } from "../../contract/round-view.ts";
import { sealSentence } from "../../contract/seal.ts";
import { Name } from "../name/name.tsx";
import { RefreshWhile } from "../shell/refresh-while.tsx";
import { Phases } from "./progress-view.tsx";

/** A finished round whose rows are lost, or were stored by an older version in a form that is read no longer. */
export function OldView({ round: { view_problem, view_lost, progress } }: { round: RoundListItem }) {
  const isLost = view_lost.length > 0;
  const why = isLost
    ? `They are not there as they were stored: ${view_lost.map((finding) => sealSentence(finding)).join("; ")}.`
    : "An older version stored this round’s rows in a form that is read no longer.";
  if (view_problem !== null)
    return (
      <Alert color="yellow" title="The rows of this round cannot be shown" maw={720}>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {why} They could not be made again. The round’s report, its inputs and its verdict were left as they
          were; the inputs can be run as a new round.
        </Text>
        <Text size="sm" mt="xs">
          Why: <Name value={view_problem} max={2000} />
        </Text>
      </Alert>
    );
  return (
    <Stack gap="sm" maw={720}>
      <RefreshWhile active />
      <Title order={2} size="h4" aria-live="polite">
        {progress === null ? "The rows wait to be made again" : "The rows are made again"}
      </Title>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {why} They are made again from its stored inputs, and shown only if its report comes out the same. The
        report and the verdict stay as they are.
      </Text>
      {progress !== null && <Phases progress={progress} without="probe" />}
    </Stack>
  );
}
