import type { Metadata } from "next";
import { connection } from "next/server";
import { RoundList } from "../../components/round-list/round-list.tsx";
import { Shell } from "../../components/shell/shell.tsx";
import { roundsService } from "../../lib/rounds/shared-service.ts";
import { listQuery, type SearchParams } from "./list-query.ts";

export const metadata: Metadata = { title: "Rounds" };

export default async function RoundsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await connection();
  const query = listQuery(await searchParams);
  const service = await roundsService();
  const { rows, total } = await service.list(query);
  return (
    <Shell>
      <RoundList rows={rows} total={total} query={query} />
    </Shell>
  );
}
