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

export default async function NewRoundPage({
  searchParams,
}: {
  searchParams: Promise<{ from?: string | string[] }>;
}) {
  await connection();
  const service = await roundsService();
  const { documents } = service;
  const { from } = await searchParams;
  const again = typeof from === "string" ? await service.again(from) : null;
  const missing = from === undefined ? null : "There is no such round whose inputs could be run again.";
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
        again={again !== null && !("problem" in again) ? again : null}
        againProblem={again === null ? missing : "problem" in again ? again.problem : null}
        start={startRound}
      />
    </Shell>
  );
}
