"use server";

import { z } from "zod";
import { READINGS } from "../../contract/request.ts";
import { roundsService } from "../../lib/rounds/shared-service.ts";
import type { SubmitResult } from "../../lib/rounds/submission.ts";

const document = z.strictObject({ name: z.string().max(1000), text: z.string() });
const upload = z.strictObject({
  kind: z.literal("upload"),
  upload_id: z.string().max(100),
  sha256: z.string().max(100),
  bytes: z.number().int().min(0),
  name: z.string().max(1000),
});
const audit = z.strictObject({
  name: z.string().max(1000),
  reading: z.enum(READINGS),
  exit_status: z.number().int().min(0).max(255).nullable(),
  mapping: z.unknown().optional(),
  contract: document,
  policy: document,
  stream: upload,
  report: upload,
});

/** Keeps an audit as a round whose report was made elsewhere. Problems come back with file, line and field. */
export async function startAudit(value: unknown): Promise<SubmitResult> {
  const parsed = audit.safeParse(value);
  if (!parsed.success)
    return {
      ok: false,
      problems: [{ file: "form", path: "", message: parsed.error.issues[0]?.message ?? "is no audit" }],
    };
  return (await roundsService()).audit(parsed.data);
}
