"use server";

import { z } from "zod";
import { comparisons } from "../../lib/rounds/shared-service.ts";
import type { SubmitResult } from "../../lib/rounds/submission.ts";

const document = z.strictObject({ name: z.string().max(300), text: z.string() });

/** Runs a round's stream again under another policy; problems come back with file, line and field. */
export async function runUnderPolicy(a: string, policy: unknown): Promise<SubmitResult> {
  const parsed = document.safeParse(policy);
  if (!parsed.success)
    return { ok: false, problems: [{ file: "policy", path: "", message: "is no document" }] };
  return (await comparisons()).underPolicy(z.string().max(100).parse(a), parsed.data);
}
