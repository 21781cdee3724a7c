import { notFound } from "next/navigation";
import { connection } from "next/server";
import type { RoundListItem } from "../../contract/round-view.ts";
import type { RoundsService } from "../../lib/rounds/service.ts";
import { roundsService } from "../../lib/rounds/shared-service.ts";
import { alikeTenants } from "../../lib/rounds/sharing/look-alikes.ts";
import type { RoundRows } from "../../lib/rounds/sharing/masked-view.ts";
import { FULL_ACCESS, type RoundAccess } from "../../lib/rounds/sharing/shared-round.ts";

/** A round as one page sees it: by its id, or read-only behind a link. Paths of both kinds lead to the same views. */
export interface RoundScope {
  service: RoundsService;
  round: RoundListItem;
  /** Where the round's pages are. */
  basePath: string;
  /** Where its rows are asked for. */
  apiPath: string;
  readOnly: boolean;
  /** What may be seen of it; behind a link names may be masked, and the stream withheld. */
  access: RoundAccess;
  /** The round's rows as the access shows them: the only way for a page to its rows. Null where there are none (yet). */
  rows: () => Promise<RoundRows | null>;
}

const scopeOf = (
  service: RoundsService,
  round: RoundListItem,
  access: RoundAccess,
  path: string,
): RoundScope => ({
  service,
  round,
  access,
  basePath: path,
  apiPath: `/api${path}`,
  readOnly: path.startsWith("/share/"),
  rows: () => service.rows(round.id, access),
});

/** The round behind an id; null where there is none. */
export async function findRound(params: Promise<{ id: string }>): Promise<RoundScope | null> {
  await connection();
  const { id } = await params;
  const service = await roundsService();
  const round = await service.round(id);
  return round === null ? null : scopeOf(service, round, FULL_ACCESS, `/rounds/${id}`);
}

/** The round behind an id; not found where there is none. */
export async function roundScope(params: Promise<{ id: string }>): Promise<RoundScope> {
  return (await findRound(params)) ?? notFound();
}

/** The round behind a link; null where the link is unknown, revoked or expired. */
export async function findShared(
  params: Promise<{ token: string }>,
  count = false,
): Promise<RoundScope | null> {
  await connection();
  const { token } = await params;
  const service = await roundsService();
  const shared = await service.shared(token, count);
  return shared === null ? null : scopeOf(service, shared.round, shared.access, `/share/${token}`);
}

/** The round behind a link; not found where the link is unknown, revoked or expired. */
export async function shareScope(params: Promise<{ token: string }>, count = false): Promise<RoundScope> {
  return (await findShared(params, count)) ?? notFound();
}

/** Tenants of the round that are drawn like others of it, so that they are marked wherever they stand; null: not known. */
export async function alikeNames(scope: RoundScope): Promise<string[] | null> {
  const rows = await scope.rows();
  return rows === null ? [] : alikeTenants(rows);
}
