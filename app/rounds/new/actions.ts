"use server";

import { z } from "zod";
import { READINGS } from "../../../contract/request.ts";
import { roundsService } from "../../../lib/rounds/shared-service.ts";
import type { SubmitResult } from "../../../lib/rounds/submission.ts";

const document = z.strictObject({ name: z.string().max(300), text: z.string() });
const submission = z.strictObject({
  name: z.string().max(300),
  reading: z.enum(READINGS),
  faults: z.array(z.string().max(100)).max(100),
  contract: document,
  policy: document,
  mapping: z.unknown().optional(),
  stream: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("upload"),
      upload_id: z.string().max(100),
      sha256: z.string().max(100),
      bytes: z.number().int().min(0),
      name: z.string().max(1000),
    }),
    z.strictObject({ kind: z.literal("text"), name: z.string().max(1000), text: z.string() }),
  ]),
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
