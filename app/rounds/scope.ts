import { notFound } from "next/navigation";
import { connection } from "next/server";
import type { RoundListItem } from "../../contract/round-view.ts";
import type { RoundsService } from "../../lib/rounds/service.ts";
import { roundsService } from "../../lib/rounds/shared-service.ts";

/** A round as one page sees it: by its id, or read-only behind a link. Paths of both kinds lead to the same views. */
export interface RoundScope {
  service: RoundsService;
  round: RoundListItem;
  /** Where the round's pages are. */
  basePath: string;
  /** Where its rows are asked for. */
  apiPath: string;
  readOnly: boolean;
}

/** The round behind an id; not found where there is none. */
export async function roundScope(params: Promise<{ id: string }>): Promise<RoundScope> {
  await connection();
  const { id } = await params;
  const service = await roundsService();
  const round = await service.round(id);
  if (round === null) notFound();
  return { service, round, basePath: `/rounds/${id}`, apiPath: `/api/rounds/${id}`, readOnly: false };
}

/** The round behind a link; not found where the link is unknown, revoked or expired. */
export async function shareScope(params: Promise<{ token: string }>, count = false): Promise<RoundScope> {
  await connection();
  const { token } = await params;
  const service = await roundsService();
  const round = await service.shared(token, count);
  if (round === null) notFound();
  return { service, round, basePath: `/share/${token}`, apiPath: `/api/share/${token}`, readOnly: true };
}
