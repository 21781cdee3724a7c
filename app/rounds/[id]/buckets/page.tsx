import type { SearchParams } from "../../list-query.ts";
import { roundScope } from "../../scope.ts";
import { bucketsTab } from "../../tabs/buckets-tab.tsx";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function BucketsPage({ params, searchParams }: Props) {
  return bucketsTab(await roundScope(params), await searchParams);
}
