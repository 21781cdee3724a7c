import type { Metadata } from "next";
import { connection } from "next/server";
import { NewRoundForm } from "../../../components/new-round/new-round-form.tsx";
import { Shell } from "../../../components/shell/shell.tsx";
import { maxUploadBytes } from "../../../lib/rounds/settings.ts";
import { roundsService } from "../../../lib/rounds/shared-service.ts";
import { startRound } from "./actions.ts";
import { documentHistory, documentText, keepDocument, listDocuments } from "./document-actions.ts";
import { STREAM_API } from "./stream-api.ts";

export const metadata: Metadata = { title: "New round" };

export default async function NewRoundPage() {
  await connection();
  const service = await roundsService();
  const { documents } = service;
  return (
    <Shell>
      <NewRoundForm
        scenarioStream={(await service.scenario()).stream}
        documents={{ contract: await documents.first("contract"), policy: await documents.first("policy") }}
        kept={{ contract: await documents.list("contract"), policy: await documents.list("policy") }}
        documentActions={{ documentHistory, documentText, keepDocument, listDocuments }}
        faults={service.faults()}
        maxUploadBytes={maxUploadBytes()}
        streamApi={STREAM_API}
        start={startRound}
      />
    </Shell>
  );
}
