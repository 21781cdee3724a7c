"use server";

import { z } from "zod";
import { roundsService } from "../../lib/rounds/shared-service.ts";
import { told, whyNot } from "../../lib/rounds/why-not.ts";
import { listParams, listQuery } from "./list-query.ts";

const ids = z.array(z.string().max(100)).max(10_000);

type Done = { batch_ms: number | null } | { problem: string };

/** What names a batch so that it can be put back, or null where there was none; or why nothing was done. */
async function done(work: () => Promise<number | null>): Promise<Done> {
  try {
    return { batch_ms: await work() };
  } catch (error) {
    return { problem: whyNot(error) };
  }
}

/** Removes rounds. */
export async function removeRounds(roundIds: string[]): Promise<Done> {
  const { removed } = await roundsService();
  return done(async () => (await removed.remove(ids.parse(roundIds)))?.batch_ms ?? null);
}

/** Removes all rounds that the list with this query string finds, on all of its pages. */
export async function removeMatching(search: string): Promise<Done> {
  const params = Object.fromEntries(new URLSearchParams(z.string().max(5000).parse(search)));
  const query = listQuery(listParams(params), Date.now());
  if (query.removed === true) return { batch_ms: null };
  const { removed } = await roundsService();
  return done(async () => (await removed.remove(query))?.batch_ms ?? null);
}

/** Puts back what was removed together; or answers why not. */
export async function restoreBatch(batch_ms: number): Promise<string | null> {
  const { removed } = await roundsService();
  return told(() => removed.restoreBatch(z.number().parse(batch_ms)));
}

/** Puts back removed rounds; or answers why not. */
export async function restoreRounds(roundIds: string[]): Promise<string | null> {
  const { removed } = await roundsService();
  return told(() => removed.restore(ids.parse(roundIds)));
}
