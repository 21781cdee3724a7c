"use client";

import { Button, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { ROUND_PHASES, type RoundListItem } from "../../contract/round-view.ts";
import { formatCount, formatSpan } from "../format/format.ts";
import { RefreshWhile } from "../shell/refresh-while.tsx";

const PHASE_TITLES: Record<(typeof ROUND_PHASES)[number], string> = {
  import: "Import the log",
  read: "Read the stream",
  decide: "Decide",
  write: "Write the report",
  recompute: "Recompute by the reference",
  compare: "Compare field by field",
  probe: "Probe from outside",
  store: "Store what the pages show",
};

/** A round that waits or runs: its phases, how far it is, and a way to cancel it. */
export function ProgressView({ round, cancel }: { round: RoundListItem; cancel?: () => Promise<void> }) {
  const { progress } = round;
  const at = progress === null ? -1 : ROUND_PHASES.indexOf(progress.phase);
  const share = progress?.total ? progress.done / progress.total : 0;
  const elapsed_ms = progress === null ? 0 : Date.now() - progress.started_at_ms;
  return (
    <Stack gap="sm" maw={640} aria-live="polite">
      <RefreshWhile active />
      <Title order={2} size="h4">
        {progress === null ? "Waiting for its turn" : PHASE_TITLES[progress.phase]}
      </Title>
      <Progress
        value={(100 * (Math.max(at, 0) + share)) / ROUND_PHASES.length}
        aria-label="Progress of the round"
        animated
      />
      {progress !== null && (
        <Text size="sm" c="dimmed" suppressHydrationWarning>
          {progress.total === null
            ? ""
            : `${formatCount(progress.done)} of ${formatCount(progress.total)} ${progress.unit}, `}
          {formatSpan(elapsed_ms)} in this phase
          {share > 0 && share < 1 ? `, about ${formatSpan((elapsed_ms * (1 - share)) / share)} left` : ""}
        </Text>
      )}
      <Text size="sm">This page may be left: the round runs on, and the list of rounds shows it.</Text>
      {cancel !== undefined && (
        <Group>
          <Button variant="default" onClick={() => cancel()}>
            Cancel the round
          </Button>
        </Group>
      )}
    </Stack>
  );
}
