"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { READINGS } from "../../contract/request.ts";
import { faultStudies, studiesService } from "../../lib/rounds/shared-service.ts";
import { problemText, type SubmitResult } from "../../lib/rounds/submission.ts";
import { told } from "../../lib/rounds/why-not.ts";
import { documentSchema, streamSchema } from "../rounds/submitted-inputs.ts";

const id = z.string().max(100);
const rows = { rows: z.array(z.string().max(100)).max(100), most_requests: z.number().int() };
const study = z.discriminatedUnion("source", [
  z.strictObject({ source: z.literal("round"), round_id: id, ...rows }),
  z.strictObject({
    source: z.literal("upload"),
    reading: z.enum(READINGS),
    contract: documentSchema,
    policy: documentSchema,
    mapping: z.unknown().optional(),
    stream: streamSchema,
    ...rows,
  }),
]);

/** Starts a study over a stored round's inputs or given ones. Problems come back; nothing is started then. */
export async function startFaultStudy(value: unknown): Promise<SubmitResult> {
  const parsed = study.safeParse(value);
  if (!parsed.success)
    return {
      ok: false,
      problems: [{ file: "form", path: "", message: parsed.error.issues[0]?.message ?? "is no study" }],
    };
  const lab = await faultStudies();
  const { data } = parsed;
  if (data.source === "round") return lab.startOfRound(data.round_id, data.rows, data.most_requests);
  const { rows: chosen, most_requests, source: _, ...inputs } = data;
  return lab.start(inputs, chosen, most_requests);
}

/** Cancels a study that waits or runs; why not, where that cannot be stored. */
export async function cancelStudy(studyId: string): Promise<string | null> {
  const service = await studiesService();
  return told(() => service.cancel(id.parse(studyId)));
}

/** Removes a study; rounds that were made from it stay. Or answers why it is still there. */
export async function removeStudy(studyId: string): Promise<string | null> {
  const service = await studiesService();
  const problem = await told(() => service.remove(id.parse(studyId)));
  if (problem !== null) return problem;
  redirect("/faults");
}

/** Goes to the round of a row: over the studied stream to its diff, over the smallest to its verdict; or tells why not. */
export async function openFaultRound(
  studyId: string,
  row: string,
  over: "stream" | "smallest",
): Promise<string | null> {
  const known = z.enum(["stream", "smallest"]).parse(over);
  const made = await (await faultStudies()).roundOf(id.parse(studyId), id.parse(row), known);
  if (made === null) redirect(`/faults/${encodeURIComponent(studyId)}`);
  if (!made.ok) return problemText(made.problems);
  redirect(`/rounds/${made.id}${known === "stream" ? "/diff" : ""}`);
}
