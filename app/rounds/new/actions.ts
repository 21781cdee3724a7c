"use server";

import { z } from "zod";
import { READINGS } from "../../../contract/request.ts";
import { roundsService } from "../../../lib/rounds/shared-service.ts";
import type { SubmitResult } from "../../../lib/rounds/submission.ts";
import { documentSchema, roundStreamSchema, streamSchema } from "../submitted-inputs.ts";

const submission = z.strictObject({
  name: z.string().max(300),
  reading: z.enum(READINGS),
  faults: z.array(z.string().max(100)).max(100),
  contract: documentSchema,
  policy: documentSchema,
  mapping: z.unknown().optional(),
  stream: z.union([streamSchema, roundStreamSchema]),
});

/** Starts a round over an upload, a text, or the stream of a round that is stored. Problems come back with file, line and field; nothing is started then. */
export async function startRound(value: unknown): Promise<SubmitResult> {
  const parsed = submission.safeParse(value);
  if (!parsed.success)
    return {
      ok: false,
      problems: [{ file: "form", path: "", message: parsed.error.issues[0]?.message ?? "is no round" }],
    };
  const service = await roundsService();
  const { stream, ...round } = parsed.data;
  if (stream.kind !== "round") return service.submit({ ...round, stream });
  const stored = await service.storedStream(stream.id);
  if (stored !== null) return service.submit({ ...round, stream: stored.stream });
  return {
    ok: false,
    problems: [{ file: stream.name, path: "", message: "is no longer stored; choose the file itself" }],
  };
}
