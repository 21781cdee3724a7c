import type { Metadata } from "next";
import { connection } from "next/server";
import { RoundList } from "../../../components/round-list/round-list.tsx";
import { Shell } from "../../../components/shell/shell.tsx";
import { roundsService } from "../../../lib/rounds/shared-service.ts";
import { removeMatching, removeRounds, restoreBatch, restoreRounds } from "../list-actions.ts";
import { listParams, listQuery, type SearchParams } from "../list-query.ts";

export const metadata: Metadata = { title: "Rounds" };

export default async function RoundsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await connection();
  const params = listParams(await searchParams);
  const query = listQuery(params, Date.now());
  const service = await roundsService();
  const { rows, total } = await service.list(query, true);
  const removed = params.removed === undefined ? null : await service.removed.batch(params.removed);
  return (
    <Shell>
      <RoundList
        rows={rows}
        total={total}
        pageSize={query.limit}
        params={params}
        removed={removed}
        actions={{ removeRounds, removeMatching, restoreBatch, restoreRounds }}
      />
    </Shell>
  );
}
