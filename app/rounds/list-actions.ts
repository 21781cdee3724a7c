"use server";

import { z } from "zod";
import { roundsService } from "../../lib/rounds/shared-service.ts";
import { listParams, listQuery } from "./list-query.ts";

const ids = z.array(z.string().max(100)).max(10_000);

/** Removes rounds; what names the batch so that it can be put back, or null where there was none. */
export async function removeRounds(roundIds: string[]): Promise<number | null> {
  const removed = await (await roundsService()).removed.remove(ids.parse(roundIds));
  return removed?.batch_ms ?? null;
}

/** Removes all rounds that the list with this query string finds, on all of its pages. */
export async function removeMatching(search: string): Promise<number | null> {
  const params = Object.fromEntries(new URLSearchParams(z.string().max(5000).parse(search)));
  const query = listQuery(listParams(params), Date.now());
  if (query.removed === true) return null;
  return (await (await roundsService()).removed.remove(query))?.batch_ms ?? null;
}

/** Puts back what was removed together; how many rounds. */
export async function restoreBatch(batch_ms: number): Promise<number> {
  return (await roundsService()).removed.restoreBatch(z.number().parse(batch_ms));
}

/** Puts back removed rounds; how many. */
export async function restoreRounds(roundIds: string[]): Promise<number> {
  return (await roundsService()).removed.restore(ids.parse(roundIds));
}
