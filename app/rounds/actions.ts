"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import type { ShareRow } from "../../contract/round-view.ts";
import { roundsService, witnessStudies } from "../../lib/rounds/shared-service.ts";
import { problemText } from "../../lib/rounds/submission.ts";
import { told, whyNot } from "../../lib/rounds/why-not.ts";

const DAY_MS = 86_400_000;
const LIVES_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS, never: null } as const;

/** Cancels a round that waits or runs. */
export async function cancelRound(id: string): Promise<string | null> {
  const service = await roundsService();
  return told(() => service.cancel(z.string().parse(id)));
}

/** Looks for the smallest stream that still breaks a tenant's reserve. */
export async function startWitness(id: string, tenant: string): Promise<string | null> {
  const studies = await witnessStudies();
  const problem = await told(() => studies.start(z.string().parse(id), z.string().parse(tenant)));
  revalidatePath(`/rounds/${id}/breaches`);
  return problem;
}

/** Runs a round over a witness and goes there. */
export async function rerunWitness(id: string, tenant: string): Promise<string | null> {
  const started = await (await witnessStudies()).rerun(z.string().parse(id), z.string().parse(tenant));
  if (started === null) return "There is no such witness any more.";
  if (!started.ok) return problemText(started.problems);
  redirect(`/rounds/${started.id}`);
}

/** Records a deviation (§5.3); the problem in words where it could not be. */
export async function recordDeviation(id: string, position: number, note: unknown): Promise<string | null> {
  const service = await roundsService();
  const recorded = await service.recordDeviation(z.string().parse(id), z.int().min(0).parse(position), note);
  revalidatePath(`/rounds/${id}`, "layout");
  return recorded.ok ? null : recorded.problem;
}

/** Takes a recorded deviation back. */
export async function withdrawDeviation(id: string, deviationId: string): Promise<string | null> {
  const service = await roundsService();
  const problem = await told(() =>
    service.withdrawDeviation(z.string().parse(id), z.string().parse(deviationId)),
  );
  revalidatePath(`/rounds/${id}`, "layout");
  return problem;
}

const SHOWS = {
  all: { raw: true, masked: false },
  "no-stream": { raw: false, masked: false },
  masked: { raw: false, masked: true },
} as const;

/** Makes a link to a round; the token is told once. Or why there is none. */
export async function shareRound(
  id: string,
  life: string,
  shows: string,
): Promise<{ token: string } | { problem: string }> {
  const lives = z.enum(["day", "week", "month", "never"]).parse(life);
  const shown = z.enum(["all", "no-stream", "masked"]).parse(shows);
  const service = await roundsService();
  try {
    const made = await service.share(z.string().parse(id), LIVES_MS[lives], SHOWS[shown]);
    return made === null ? { problem: "There is no such round any more." } : { token: made.token };
  } catch (error) {
    return { problem: whyNot(error) };
  }
}

/** The links of a round. */
export async function listShares(id: string): Promise<ShareRow[]> {
  return (await roundsService()).shares(z.string().parse(id));
}

/** Ends a link; where that cannot be stored, why it still opens. */
export async function revokeShare(shareId: string): Promise<string | null> {
  const service = await roundsService();
  return told(() => service.revoke(z.string().parse(shareId)));
}
