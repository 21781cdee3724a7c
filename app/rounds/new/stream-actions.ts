"use server";

import { z } from "zod";
import type { InputProblem, InputResult } from "../../../contract/input.ts";
import { FORMAT_IDS } from "../../../contract/log-formats.ts";
import { type LogPreview, type Recognised, type SavedMapping, WRAPPINGS } from "../../../contract/mapping.ts";
import { PRESETS, type StartingPointResult } from "../../../contract/starting-point.ts";
import { proposePolicy } from "../../../lib/rounds/logs/propose-policy.ts";
import { type HeadBytes, previewHead, recogniseHead } from "../../../lib/rounds/logs/recognise-log.ts";
import { uploadedHead } from "../../../lib/rounds/logs/uploads.ts";
import { roundsService } from "../../../lib/rounds/shared-service.ts";
import { told } from "../../../lib/rounds/why-not.ts";
import { roundStreamSchema, streamSchema, uploadSchema } from "../submitted-inputs.ts";

const format = z.strictObject({
  id: z.enum(FORMAT_IDS),
  unwrap: z.enum(WRAPPINGS).optional(),
  log_format: z.string().max(10_000).optional(),
  delimiter: z.enum([",", "\t", ";", "|"]).optional(),
});

/** The first bytes of a stream as a form brings them: `head`, and `whole` where these are all. */
async function headIn(form: FormData): Promise<HeadBytes> {
  const head = z.instanceof(Blob).parse(form.get("head"));
  return { bytes: new Uint8Array(await head.arrayBuffer()), isWhole: form.get("whole") === "1" };
}

/** Says what a stream is, by its first bytes; with `format`, as that one only. */
export async function recogniseStream(form: FormData): Promise<Recognised> {
  const wanted = form.get("format");
  return recogniseHead(
    await headIn(form),
    wanted === null ? undefined : format.parse(JSON.parse(z.string().max(20_000).parse(wanted))),
  );
}

/** The first rows of a stream under a mapping, or what is wrong with the mapping. */
export async function previewStream(form: FormData): Promise<InputResult<LogPreview>> {
  const mapping: unknown = JSON.parse(z.string().max(100_000).parse(form.get("mapping")));
  return previewHead(await headIn(form), mapping);
}

const proposal = z.strictObject({
  preset: z.enum(PRESETS),
  mapping: z.unknown(),
  stream: z.union([streamSchema, roundStreamSchema]),
});

/** Proposes a contract and a policy from a stream that was uploaded; the upload stays for its round. */
export async function proposeFromStream(value: unknown): Promise<StartingPointResult> {
  const { stream, ...asked } = proposal.parse(value);
  if (stream.kind !== "round") return proposePolicy({ ...asked, stream });
  const stored = await (await roundsService()).storedStream(stream.id);
  if (stored === null) return { ok: false, reason: "is no longer stored" };
  return proposePolicy({ ...asked, stream: { kind: "stored", path: stored.path } });
}

/** The first bytes of an upload, for a form that was left and is opened again; null where it is not here as a whole. */
export async function uploadHead(upload: unknown): Promise<Uint8Array<ArrayBuffer> | null> {
  return uploadedHead(uploadSchema.omit({ kind: true }).parse(upload));
}

/** The first bytes of a stored round's stream; null where it is not stored any more. */
export async function roundHead(id: unknown): Promise<Uint8Array<ArrayBuffer> | null> {
  return (await roundsService()).storedHead(z.string().max(100).parse(id));
}

/** Mappings kept by name. */
export async function listMappings(): Promise<SavedMapping[]> {
  return (await roundsService()).mappings.list();
}

/** Keeps a mapping by name; answers what is wrong with it. */
export async function saveMapping(name: string, mapping: unknown): Promise<InputProblem[]> {
  return (await roundsService()).mappings.save(z.string().max(1000).parse(name), mapping);
}

/** Forgets a mapping; or answers why it is still kept. */
export async function removeMapping(name: string): Promise<string | null> {
  const service = await roundsService();
  return told(() => service.mappings.remove(z.string().max(1000).parse(name)));
}
