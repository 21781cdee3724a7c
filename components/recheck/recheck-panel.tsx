"use client";

import { Alert, Anchor, Button, Group, Paper, Progress, Stack, Text } from "@mantine/core";
import { IconHelpCircle, IconShieldCheck } from "@tabler/icons-react";
import { RECHECK_PHASES, type RecheckProgress } from "../../contract/recheck.ts";
import { formatBytes, formatCount, formatSpan } from "../format/format.ts";
import { LiveControls } from "../shell/live-controls.tsx";
import type { ServerClaims } from "./claim-verdict.ts";
import { LazyResult } from "./lazy-result.tsx";
import { type RecheckState, useRecheck } from "./use-recheck.ts";

const PHASES: Record<RecheckProgress["phase"], string> = {
  open: "Opening the bundle",
  recompute: "Recomputing by the reference",
  digests: "Finding the digests",
  compare: "Comparing field by field",
};

/** Share of the work that is done, 0 to 100; `total` requests where somebody said how many there are. */
function doneOf(progress: RecheckProgress | null, total: number | null): number {
  if (progress === null) return 0;
  const within = progress.requests === null || total === null || total === 0 ? 0 : progress.requests / total;
  return (100 * (RECHECK_PHASES.indexOf(progress.phase) + Math.min(within, 1))) / RECHECK_PHASES.length;
}

function Doing({
  title,
  value,
  detail,
  onCancel,
}: {
  title: string;
  value: number;
  detail: string;
  onCancel: () => void;
}) {
  return (
    <Group gap="sm" wrap="nowrap" aria-live="polite">
      <Stack gap={2} style={{ flex: 1 }}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Progress value={value} aria-label="Progress of the recheck" animated />
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      </Stack>
      <Button size="xs" variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </Group>
  );
}

/** How far a recheck is, or why there is none. */
export function RecheckStatus({
  state,
  total,
  onCancel,
}: {
  state: RecheckState;
  total: number | null;
  onCancel: () => void;
}) {
  if (state.kind === "fetching")
    return (
      <Doing
        title="Fetching the bundle"
        value={0}
        detail={`${formatBytes(state.received)} received`}
        onCancel={onCancel}
      />
    );
  if (state.kind === "working") {
    const { progress, started_at_ms } = state;
    const requests = progress?.requests ?? null;
    const elapsed_ms = Math.max(Date.now() - started_at_ms, 1);
    const rate =
      requests === null ? "" : `, ${formatCount(Math.round((1000 * requests) / elapsed_ms))} a second`;
    return (
      <Doing
        title={progress === null ? "Starting" : PHASES[progress.phase]}
        value={doneOf(progress, total)}
        detail={`${requests === null ? "" : `${formatCount(requests)} requests${rate}, `}${formatSpan(elapsed_ms)}`}
        onCancel={onCancel}
      />
    );
  }
  if (state.kind === "failed")
    return (
      <Alert color="red" title="The recheck could not be made: nothing was judged here">
        {state.message}
      </Alert>
    );
  return null;
}

/** What a link keeps back: the stream, or with it every name, and so the report; or the files are too large. */
export type Withheld = "stream" | "names" | "size";

const WHY: Record<Withheld, string> = {
  stream:
    "This link keeps the stream back, without which nothing can be recomputed: what the server says stays a claim.",
  names:
    "This link masks names and keeps stream and report back, without which nothing can be recomputed: what the server says stays a claim.",
  size: "A report of more than 512 MiB, or a stream of more than 4 GiB, is too large to be bundled and opened by a browser. Download contract, policy, stream and report, each under Inputs, and judge them by “throttle probe”.",
};

interface PanelProps {
  bundleUrl: string;
  /** Null where the round may be rechecked. */
  withholds: Withheld | null;
  /** Null where it claims nothing. */
  claims: ServerClaims | null;
  requests: number;
  diffPath: string;
}

function ActivePanel({ bundleUrl, claims, requests, diffPath }: PanelProps) {
  const { state, isReady, start, cancel } = useRecheck();
  const isBusy = state.kind === "fetching" || state.kind === "working";
  return (
    <LiveControls>
      <Paper
        component="section"
        withBorder
        p="sm"
        aria-label="Recheck here"
        className="no-print"
        data-recheck={state.kind}
        data-ready={isReady}
      >
        <Stack gap="sm">
          <Group justify="space-between" gap="sm">
            <Text size="sm" style={{ flex: "1 1 16rem" }}>
              You need not believe this server: your browser can recompute the round from its inputs and
              compare every field of the report itself.
            </Text>
            <Group gap="sm">
              <Anchor href={bundleUrl} size="sm" download>
                Download the bundle
              </Anchor>
              <Button
                size="sm"
                variant="default"
                leftSection={<IconShieldCheck size={16} aria-hidden />}
                disabled={isBusy}
                onClick={() => start({ kind: "url", url: bundleUrl })}
              >
                {state.kind === "done" ? "Recheck again" : "Recheck here"}
              </Button>
            </Group>
          </Group>
          <RecheckStatus state={state} total={requests} onCancel={cancel} />
          {state.kind === "done" && (
            <LazyResult recheck={state.recheck} took_ms={state.took_ms} claims={claims} diffPath={diffPath} />
          )}
        </Stack>
      </Paper>
    </LiveControls>
  );
}

/** Recheck here: the round recomputed in this browser, beside what the server says of it; or why it cannot be. */
export function RecheckPanel(props: PanelProps) {
  if (props.withholds === null) return <ActivePanel {...props} />;
  return (
    <Paper component="section" withBorder p="sm" aria-label="Recheck here" className="no-print">
      <Text size="sm">
        <IconHelpCircle size={14} aria-hidden /> <b>Cannot be judged here.</b> {WHY[props.withholds]}
      </Text>
    </Paper>
  );
}
