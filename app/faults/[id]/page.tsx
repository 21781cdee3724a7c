import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { FaultStudyView } from "../../../components/faults/fault-study-view.tsx";
import { Shell } from "../../../components/shell/shell.tsx";
import { faultStudies } from "../../../lib/rounds/shared-service.ts";
import { cancelStudy, openFaultRound } from "../actions.ts";

export const metadata: Metadata = { title: "Faults on a stream" };

export default async function FaultStudyPage({ params }: { params: Promise<{ id: string }> }) {
  await connection();
  const { id } = await params;
  const study = await (await faultStudies()).get(id);
  if (study === null) notFound();
  const { item, inputs } = study;
  return (
    <Shell>
      <FaultStudyView
        study={item}
        inputs={{ stream_name: inputs.stream_name, round_id: inputs.round_id }}
        actions={{
          openRound: openFaultRound.bind(null, id),
          made: inputs.made,
          streamPath: `/api/faults/${id}/stream`,
        }}
        cancel={cancelStudy.bind(null, id)}
      />
    </Shell>
  );
}
