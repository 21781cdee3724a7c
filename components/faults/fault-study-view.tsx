"use client";

import { Alert, Anchor, Group, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import type { FaultStudy } from "../../contract/fault-study.ts";
import type { StudyItem } from "../../contract/study.ts";
import { counted, formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { Moment } from "../shell/moment.tsx";
import type { Told } from "../shell/told.tsx";
import { StudyState } from "../study/study-state.tsx";
import { FaultMatrix } from "./fault-matrix.tsx";
import type { RowActions } from "./row-actions.ts";
import { SurvivorList } from "./survivor-list.tsx";

function Findings({ study, actions }: { study: FaultStudy; actions: RowActions }) {
  const shown = study.rows.filter(({ shows }) => shows).length;
  return (
    <Stack gap="md">
      <Text size="lg" fw={600}>
        {counted(study.rows.length, "fault")} tried on {counted(study.requests, "request")}:{" "}
        {formatCount(shown)} show, {formatCount(study.rows.length - shown)}{" "}
        {study.rows.length - shown === 1 ? "survives" : "survive"}.
      </Text>
      {study.cut_from !== null && (
        <Alert color="yellow" title="The stream was cut">
          Only its first {counted(study.requests, "valid request")} of {formatCount(study.cut_from)} were
          studied: what survives here may show in the rest.
        </Alert>
      )}
      {study.skipped > 0 && <Text>{counted(study.skipped, "bad line")} left out.</Text>}
      {study.honest.some(({ claim }) => claim !== "well") && (
        <Alert color="red" title="Not every signal is well without any fault">
          {study.honest
            .filter(({ claim }) => claim !== "well")
            .map(({ name, evidence }) => `${name}: ${evidence}`)
            .join("; ")}
        </Alert>
      )}
      <FaultMatrix study={study} actions={actions} />
      <SurvivorList study={study} actions={actions} />
    </Stack>
  );
}

/** A study of the fault lab: the matrix of faults against signals, and what the stream cannot show. */
export function FaultStudyView({
  study,
  inputs,
  actions,
  cancel,
}: {
  study: StudyItem<FaultStudy>;
  inputs: { stream_name: string; round_id: string | null };
  actions: RowActions;
  cancel: () => Promise<Told>;
}) {
  return (
    <Stack gap="md">
      <Stack gap={2}>
        <Title order={1} size="h2">
          Faults on <Name value={study.name} max={100} />
        </Title>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            Stream <Name value={inputs.stream_name} max={60} />, started{" "}
            <Moment at_ms={study.created_at_ms} />
          </Text>
          {inputs.round_id !== null && (
            <Anchor component={Link} href={`/rounds/${inputs.round_id}`} size="sm">
              Its round
            </Anchor>
          )}
          <Anchor component={Link} href="/faults" size="sm">
            All studies
          </Anchor>
        </Group>
      </Stack>
      {study.result === null ? (
        <StudyState study={study} cancel={cancel} />
      ) : (
        <Findings study={study.result} actions={actions} />
      )}
    </Stack>
  );
}
