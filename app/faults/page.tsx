import { Stack, Text, Title } from "@mantine/core";
import type { Metadata } from "next";
import { connection } from "next/server";
import { LabForm } from "../../components/faults/lab-form.tsx";
import { StudyList } from "../../components/faults/study-list.tsx";
import { Shell } from "../../components/shell/shell.tsx";
import { maxUploadBytes } from "../../lib/rounds/settings.ts";
import { faultStudies, roundsService } from "../../lib/rounds/shared-service.ts";
import { LAB_PRESETS } from "../../lib/rounds/studies/fault-rows.ts";
import type { SearchParams } from "../rounds/list-query.ts";
import { STREAM_API } from "../rounds/new/stream-api.ts";
import { removeStudy, startFaultStudy } from "./actions.ts";

export const metadata: Metadata = { title: "Fault lab" };

/** Rounds offered, the latest. */
const ROUNDS_OFFERED = 100;

export default async function FaultsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await connection();
  const { round, preset } = await searchParams;
  const service = await roundsService();
  const lab = await faultStudies();
  const latest = await service.list({ sort: "created", dir: "desc", limit: ROUNDS_OFFERED, offset: 0 });
  const rounds = latest.rows.map(({ id, name }) => ({ id, name }));
  const asked = typeof round === "string" && round !== "" ? await service.round(round) : null;
  if (asked !== null && !rounds.some(({ id }) => id === asked.id))
    rounds.unshift({ id: asked.id, name: asked.name });
  const presets = LAB_PRESETS.map(({ title, rows }) => ({ title, rows: [...rows] }));
  return (
    <Shell>
      <Stack gap="md">
        <Title order={1} size="h2">
          Fault lab
        </Title>
        <Text maw={800}>
          Known ways in which limiters fail, tried on a stream: which signal notices which fault, and which
          faults the stream cannot show at all.
        </Text>
        <LabForm
          rounds={rounds}
          round={asked?.id ?? latest.rows.find(({ card }) => card !== null && card.requests > 0)?.id ?? ""}
          rows={lab.rows()}
          presets={presets}
          preset={[...(LAB_PRESETS.find(({ id }) => id === preset) ?? LAB_PRESETS[0]!).rows]}
          scenario={await service.scenario()}
          maxUploadBytes={maxUploadBytes()}
          streamApi={STREAM_API}
          start={startFaultStudy}
        />
        <StudyList studies={await lab.list()} remove={removeStudy} />
      </Stack>
    </Shell>
  );
}
