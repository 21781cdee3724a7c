"use server";

import { z } from "zod";
import { READINGS } from "../../contract/request.ts";
import { roundsService } from "../../lib/rounds/shared-service.ts";
import type { SubmitResult } from "../../lib/rounds/submission.ts";
import { documentSchema, uploadSchema } from "../rounds/submitted-inputs.ts";

const audit = z.strictObject({
  name: z.string().max(1000),
  reading: z.enum(READINGS),
  exit_status: z.number().int().min(0).max(255).nullable(),
  mapping: z.unknown().optional(),
  contract: documentSchema,
  policy: documentSchema,
  stream: uploadSchema,
  report: uploadSchema,
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
