"use client";

import { Button, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { IconCircle, IconCircleCheck, IconPlayerPlay } from "@tabler/icons-react";
import {
  ROUND_PHASES,
  type RoundListItem,
  type RoundPhase,
  type RoundProgress,
} from "../../contract/round-view.ts";
import { formatBytes, formatCount, formatSpan } from "../format/format.ts";
import { LiveControls } from "../shell/live-controls.tsx";
import { RefreshWhile } from "../shell/refresh-while.tsx";
import { NotDone, type Told, useTold } from "../shell/told.tsx";

const PHASE_TITLES: Record<RoundPhase, string> = {
  import: "Convert the log into requests",
  read: "Read the stream",
  decide: "Decide",
  write: "Write the report",
  recompute: "Recompute by the reference",
  compare: "Compare field by field",
  store: "Store what the pages show",
  probe: "Probe from outside",
};

const amount = (count: number, unit: RoundProgress["unit"]): string =>
  unit === "bytes" ? formatBytes(count) : `${formatCount(Math.round(count))} ${unit}`;

/** How far a phase is, at what rate, and how long it still takes; what is not known is not said. */
function phaseText({ done, total, unit, started_at_ms }: RoundProgress, now_ms: number): string {
  const elapsed_ms = Math.max(now_ms - started_at_ms, 0);
  const parts = [formatSpan(elapsed_ms)];
  if (total !== null && total > 0) parts.unshift(`${amount(done, unit)} of ${amount(total, unit)}`);
  if (done > 0 && elapsed_ms > 0) parts.push(`${amount((1000 * done) / elapsed_ms, unit)} a second`);
  if (total !== null && done > 0 && done < total)
    parts.push(`about ${formatSpan((elapsed_ms * (total - done)) / done)} left`);
  return parts.join(", ");
}

type PhaseState = "over" | "now" | "to come";
const ICONS = { over: IconCircleCheck, now: IconPlayerPlay, "to come": IconCircle };

function PhaseLine({ phase, state, text }: { phase: RoundPhase; state: PhaseState; text: string }) {
  const Icon = ICONS[state];
  return (
    <Group component="li" gap="xs" wrap="nowrap" aria-current={state === "now" ? "step" : undefined}>
      <Icon
        size={16}
        role="img"
        aria-label={state}
        color={state === "over" ? "var(--well)" : state === "now" ? "var(--accepted)" : "var(--unknown)"}
        style={{ flexShrink: 0 }}
      />
      <Text
        size="sm"
        fw={state === "now" ? 600 : 400}
        style={{ flexShrink: 0 }}
        {...(state === "to come" ? { c: "dimmed" } : {})}
      >
        {PHASE_TITLES[phase]}
      </Text>
      <Text size="xs" c="dimmed" suppressHydrationWarning>
        {text}
      </Text>
    </Group>
  );
}

/** The phases of a round: what is over and how long it took, what is on and how far, what is to come. */
export function Phases({
  progress,
  without,
}: {
  progress: RoundProgress | null;
  /** A phase that this work has not. */
  without?: RoundPhase;
}) {
  const past = new Map(progress?.past.map(({ phase, took_ms }) => [phase, took_ms]));
  const at = progress === null ? -1 : ROUND_PHASES.indexOf(progress.phase);
  // A stream that is canonical already is not converted: that phase is shown only where there is one.
  const phases = ROUND_PHASES.filter(
    (phase) => phase !== without && (phase !== "import" || past.has(phase) || progress?.phase === phase),
  );
  return (
    <Stack component="ul" aria-label="Phases" gap={4} p={0} m={0} style={{ listStyle: "none" }}>
      {phases.map((phase) => {
        const took_ms = past.get(phase);
        if (progress !== null && phase === progress.phase)
          return <PhaseLine key={phase} phase={phase} state="now" text={phaseText(progress, Date.now())} />;
        if (took_ms !== undefined)
          return <PhaseLine key={phase} phase={phase} state="over" text={formatSpan(took_ms)} />;
        const state = ROUND_PHASES.indexOf(phase) < at ? "over" : "to come";
        return <PhaseLine key={phase} phase={phase} state={state} text="" />;
      })}
    </Stack>
  );
}

/** A round that waits or runs: its phases, how far it is, and a way to cancel it. */
export function ProgressView({ round, cancel }: { round: RoundListItem; cancel?: () => Promise<Told> }) {
  const { progress } = round;
  const { problem, isBusy, ask } = useTold();
  const at = progress === null ? 0 : ROUND_PHASES.indexOf(progress.phase);
  const share = progress?.total ? progress.done / progress.total : 0;
  return (
    <LiveControls>
      <Stack gap="sm" maw={720}>
        <RefreshWhile active />
        <Title order={2} size="h4" aria-live="polite">
          {progress !== null
            ? PHASE_TITLES[progress.phase]
            : round.state === "running"
              ? "Between two phases"
              : "Waiting for its turn"}
        </Title>
        <Progress
          value={(100 * (at + share)) / ROUND_PHASES.length}
          aria-label="Progress of the round"
          animated={progress !== null}
        />
        <Phases progress={progress} />
        <Text size="sm">This page may be left: the round runs on, and the list of rounds shows it.</Text>
        {cancel !== undefined && (
          <Group>
            <Button variant="default" loading={isBusy} onClick={() => ask(cancel)}>
              Cancel the round
            </Button>
          </Group>
        )}
        <NotDone problem={problem} />
      </Stack>
    </LiveControls>
  );
}
