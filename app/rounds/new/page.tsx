import type { Metadata } from "next";
import { connection } from "next/server";
import { NewRoundForm } from "../../../components/new-round/new-round-form.tsx";
import { Shell } from "../../../components/shell/shell.tsx";
import { maxUploadBytes } from "../../../lib/rounds/settings.ts";
import { roundsService } from "../../../lib/rounds/shared-service.ts";
import { startRound } from "./actions.ts";
import {
  listMappings,
  previewStream,
  proposeFromStream,
  recogniseStream,
  removeMapping,
  saveMapping,
} from "./stream-actions.ts";

export const metadata: Metadata = { title: "New round" };

export default async function NewRoundPage() {
  await connection();
  const service = await roundsService();
  return (
    <Shell>
      <NewRoundForm
        scenario={await service.scenario()}
        faults={service.faults()}
        maxUploadBytes={maxUploadBytes()}
        streamApi={{
          recognise: recogniseStream,
          preview: previewStream,
          mappings: listMappings,
          saveMapping,
          removeMapping,
          propose: proposeFromStream,
        }}
        start={startRound}
      />
    </Shell>
  );
}
