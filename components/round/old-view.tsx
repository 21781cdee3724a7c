"use client";

import { Alert, Stack, Text, Title } from "@mantine/core";
import type { RoundListItem } from "../../contract/round-view.ts";
import { Name } from "../name/name.tsx";
import { RefreshWhile } from "../shell/refresh-while.tsx";
import { Phases } from "./progress-view.tsx";

/** A finished round whose rows an older version stored in a form that is read no longer. What it came to stands. */
export function OldView({ round: { view_problem, progress } }: { round: RoundListItem }) {
  if (view_problem !== null)
    return (
      <Alert color="yellow" title="The rows of this round cannot be shown" maw={720}>
        <Text size="sm">
          An older version stored them in a form that is read no longer, and they could not be made again. The
          round’s report, its inputs and its verdict are as they were; the inputs can be run as a new round.
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
      <Text size="sm">
        An older version stored this round’s rows in a form that is read no longer. They are made again from
        its stored inputs, and shown only if its report comes out the same. The report and the verdict stay as
        they are.
      </Text>
      {progress !== null && <Phases progress={progress} without="probe" />}
    </Stack>
  );
}
