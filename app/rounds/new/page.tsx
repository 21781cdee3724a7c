import type { Metadata } from "next";
import { connection } from "next/server";
import { NewRoundForm } from "../../../components/new-round/new-round-form.tsx";
import { Shell } from "../../../components/shell/shell.tsx";
import type { DocumentKind } from "../../../contract/round-view.ts";
import { maxUploadBytes } from "../../../lib/rounds/settings.ts";
import { roundsService } from "../../../lib/rounds/shared-service.ts";
import { whyNot } from "../../../lib/rounds/why-not.ts";
import { startRound } from "./actions.ts";
import { documentHistory, documentText, keepDocument, listDocuments } from "./document-actions.ts";
import { STREAM_API } from "./stream-api.ts";

export const metadata: Metadata = { title: "New round" };

export default async function NewRoundPage() {
  await connection();
  const service = await roundsService();
  const { documents } = service;
  const scenario = await service.scenario();
  // Where the kept one is not what was kept the page opens with the scenario's own.
  const opening = (kind: DocumentKind) =>
    documents.first(kind).catch((error: unknown) => {
      whyNot(error);
      return { name: `${kind}.json`, text: scenario[kind] };
    });
  return (
    <Shell>
      <NewRoundForm
        scenarioStream={scenario.stream}
        documents={{ contract: await opening("contract"), policy: await opening("policy") }}
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
