"use client";

import { Anchor, Button, Code, Group, Loader, Stack, Text, Title } from "@mantine/core";
import type { StudyItem } from "../../contract/study.ts";
import type { BreachWitness, WitnessStream } from "../../contract/witness.ts";
import { counted } from "../format/format.ts";
import { visibleText } from "../name/visible-name.ts";
import { LiveControls } from "../shell/live-controls.tsx";
import { RefreshWhile } from "../shell/refresh-while.tsx";
import { NotDone, type Told, useTold } from "../shell/told.tsx";
import { StudyState } from "../study/study-state.tsx";
import { GroupsTable } from "./groups-table.tsx";

/** What may be done about a witness; absent where a round is only read. */
export interface WitnessActions {
  start: (tenant: string) => Promise<Told>;
  rerun: (tenant: string) => Promise<Told>;
}

/** Lines that are shown; the whole can be downloaded. */
const LINES_SHOWN = 20;

function Smallest({ smallest, of, label }: { smallest: WitnessStream; of: number; label: string }) {
  const lines = smallest.stream.trimEnd().split("\n");
  return (
    <>
      <Text size="sm">
        {counted(smallest.requests, "request")} of the tenant's {counted(of, "request")} still break its
        reserve.{" "}
        {smallest.is_minimal
          ? "None of them can be left out."
          : "The search was cut short: there may be a smaller one."}{" "}
        {smallest.confirmed
          ? "Shrunk by the engine, confirmed by the reference."
          : "The reference does not confirm it: engine and reference disagree on this stream."}
      </Text>
      <Code block style={{ overflow: "auto" }} tabIndex={0}>
        {visibleText(lines.slice(0, LINES_SHOWN).join("\n"))}
        {lines.length > LINES_SHOWN ? `\n… ${lines.length - LINES_SHOWN} lines more` : ""}
      </Code>
      <GroupsTable
        groups={smallest.groups.map((group) => ({
          ...group,
          source: "reference",
          members: group.req_ids.length,
        }))}
        label={`Groups of the smallest stream: ${label}`}
      />
    </>
  );
}

function Found({ witness, label }: { witness: BreachWitness; label: string }) {
  if (witness.smallest === null)
    return (
      <Text size="sm">
        By the contract this tenant's reserve is never broken in this stream: only a faulty engine marks the
        breach, and no stream can show it.
      </Text>
    );
  return <Smallest smallest={witness.smallest} of={witness.requests} label={label} />;
}

/** The smallest stream that still breaks a tenant's reserve: looked for on request, then kept. */
export function WitnessView({
  label,
  tenant,
  item,
  apiPath,
  actions,
}: {
  label: string;
  tenant: string;
  item: StudyItem<BreachWitness> | null;
  apiPath: string;
  actions: WitnessActions | undefined;
}) {
  const { problem, isBusy, ask } = useTold();
  if (item === null && actions === undefined) return null;
  const isOver = item?.state === "failed" || item?.state === "cancelled";
  const isRunning = item?.state === "waiting" || item?.state === "running";
  return (
    <LiveControls>
      <Stack gap="xs" component="section" aria-label={label} aria-live="polite" mt="sm">
        <RefreshWhile active={isRunning} />
        <Title order={3} size="h5">
          Witness: the smallest stream that still shows it
        </Title>
        {isOver && <StudyState study={item} />}
        <NotDone problem={problem} />
        {(item === null || isOver) && actions !== undefined && (
          <Group>
            <Button variant="default" loading={isBusy} onClick={() => ask(() => actions.start(tenant))}>
              Find the smallest stream
            </Button>
          </Group>
        )}
        {isRunning && (
          <Group gap="xs">
            <Loader size="xs" />
            <Text size="sm">Leaving out ever smaller parts of the stream. This page may be left.</Text>
          </Group>
        )}
        {item?.result && <Found witness={item.result} label={label} />}
        {item?.result?.smallest && (
          <Group>
            <Anchor href={`${apiPath}/witness?tenant=${encodeURIComponent(tenant)}`} size="sm" download>
              Download the stream
            </Anchor>
            {actions !== undefined && (
              <Button
                size="compact-sm"
                variant="default"
                loading={isBusy}
                onClick={() => ask(() => actions.rerun(tenant))}
              >
                Run it as a round
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </LiveControls>
  );
}
