"use client";

import { Alert, Button, Group, Progress, Stack, Text, Title } from "@mantine/core";
import type { StudyItem } from "../../contract/study.ts";
import { formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { RefreshWhile } from "../shell/refresh-while.tsx";
import { NotDone, type Told, useTold } from "../shell/told.tsx";

/** A study that waits, runs, or ended without a result; nothing of it is to be taken for an answer. */
export function StudyState({ study, cancel }: { study: StudyItem<unknown>; cancel?: () => Promise<Told> }) {
  const { state, progress, problem } = study;
  const cancelling = useTold();
  if (state === "failed" || state === "cancelled")
    return (
      <Alert
        color="red"
        title={
          state === "failed"
            ? "This could not be worked out: nothing was judged"
            : "Cancelled: nothing was judged"
        }
      >
        <Name value={problem ?? "No reason is known."} max={2000} />
      </Alert>
    );
  return (
    <LiveControls>
      <Stack gap="sm" maw={640} aria-live="polite">
        <RefreshWhile active />
        <Title order={2} size="h4">
          {progress === null ? "Waiting for its turn" : progress.phase}
        </Title>
        <Progress
          value={
            progress === null || progress.total === null
              ? 0
              : (100 * progress.done) / Math.max(progress.total, 1)
          }
          aria-label="Progress"
          animated
        />
        {progress !== null && progress.total !== null && (
          <Text size="sm" c="dimmed">
            {formatCount(progress.done)} of {formatCount(progress.total)}
          </Text>
        )}
        <Text size="sm">This page may be left: the work runs on, and is found here again.</Text>
        {cancel !== undefined && (
          <Group>
            <Button variant="default" loading={cancelling.isBusy} onClick={() => cancelling.ask(cancel)}>
              Cancel
            </Button>
          </Group>
        )}
        <NotDone problem={cancelling.problem} />
      </Stack>
    </LiveControls>
  );
}
