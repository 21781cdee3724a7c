"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { comparisons } from "../../lib/rounds/shared-service.ts";
import type { SubmitResult } from "../../lib/rounds/submission.ts";
import { told } from "../../lib/rounds/why-not.ts";
import { documentSchema } from "../rounds/submitted-inputs.ts";

const id = z.string().max(100);

/** Starts comparing two rounds, or finds them compared, and goes there; or answers why it was not started. */
export async function compareRounds(a: string, b: string): Promise<string | null> {
  const [idA, idB] = [id.parse(a), id.parse(b)];
  const service = await comparisons();
  const problem = await told(() => service.start(idA, idB));
  if (problem !== null) return problem;
  redirect(`/compare?a=${encodeURIComponent(idA)}&b=${encodeURIComponent(idB)}`);
}

/** Runs a round's stream again under another policy and compares the two; problems come back with file, line and field. */
export async function runUnderPolicy(a: string, policy: unknown): Promise<SubmitResult> {
  const parsed = documentSchema.safeParse(policy);
  if (!parsed.success)
    return { ok: false, problems: [{ file: "policy", path: "", message: "is no document" }] };
  return (await comparisons()).underPolicy(id.parse(a), parsed.data);
}
