"use client";

import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Worked } from "../../contract/gate-console.ts";
import { formatBytes } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { NoGate } from "./no-gate.tsx";
import type { LogWork } from "./use-log-work.ts";

/** Work on logs while it goes on, where it failed, and what it came to; nothing unfinished is shown as an answer. */
export function LogWorkState<Result>({
  work,
  onCancel,
  children,
}: {
  work: LogWork<Result> | null;
  onCancel: () => void;
  children: (found: Worked<Result>, what: string) => ReactNode;
}) {
  if (work === null) return null;
  if (work.state === "failed")
    return (
      <Alert color="red" title="Nothing was judged" role="alert">
        <Name value={work.message} max={2000} />
      </Alert>
    );
  if (work.state === "over")
    return work.answer.kind === "answer" ? (
      children(work.answer.value, work.what)
    ) : (
      <NoGate answer={work.answer} />
    );
  const { what, progress } = work;
  return (
    <Stack gap="xs" maw={640} role="status" aria-label="Progress">
      <Text size="sm">
        Reading <Name value={what} max={100} /> …
      </Text>
      <Progress
        value={progress === null ? 0 : (100 * progress.done) / Math.max(progress.total, 1)}
        aria-label="Read so far"
        animated
      />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {progress === null
            ? "Waiting for the console"
            : `${formatBytes(progress.done)} of ${formatBytes(progress.total)}`}
        </Text>
        <Button variant="default" size="xs" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}
