"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { startStates } from "../../../../lib/rounds/shared-service.ts";

/** Begins to decide a round from full and from empty. */
export async function findStart(id: string): Promise<void> {
  const round = z.string().max(100).parse(id);
  await (await startStates()).start(round);
  revalidatePath(`/rounds/${round}/start`);
}
