"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { startStates } from "../../../../lib/rounds/shared-service.ts";
import { told } from "../../../../lib/rounds/why-not.ts";

/** Begins to decide a round from full and from empty. */
export async function findStart(id: string): Promise<string | null> {
  const round = z.string().max(100).parse(id);
  const studies = await startStates();
  const problem = await told(() => studies.start(round));
  revalidatePath(`/rounds/${round}/start`);
  return problem;
}
