"use server";

import { z } from "zod";
import { READINGS } from "../../../contract/request.ts";
import { roundsService } from "../../../lib/rounds/shared-service.ts";
import type { SubmitResult } from "../../../lib/rounds/submission.ts";
import { documentSchema, streamSchema } from "../submitted-inputs.ts";

const submission = z.strictObject({
  name: z.string().max(300),
  reading: z.enum(READINGS),
  faults: z.array(z.string().max(100)).max(100),
  contract: documentSchema,
  policy: documentSchema,
  mapping: z.unknown().optional(),
  stream: streamSchema,
});

/** Starts a round over an upload or a text. Problems come back with file, line and field; nothing is started then. */
export async function startRound(value: unknown): Promise<SubmitResult> {
  const parsed = submission.safeParse(value);
  if (!parsed.success)
    return {
      ok: false,
      problems: [{ file: "form", path: "", message: parsed.error.issues[0]?.message ?? "is no round" }],
    };
  return (await roundsService()).submit(parsed.data);
}
