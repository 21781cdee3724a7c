import type { SearchParams } from "../../../rounds/list-query.ts";
import { shareScope } from "../../../rounds/scope.ts";
import { bucketsTab } from "../../../rounds/tabs/buckets-tab.tsx";

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function SharedBucketsPage({ params, searchParams }: Props) {
  return bucketsTab(await shareScope(params), await searchParams);
}
