import type { SearchParams } from "../../../rounds/list-query.ts";
import { shareScope } from "../../../rounds/scope.ts";
import { diffTab } from "../../../rounds/tabs/diff-tab.tsx";

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function SharedDiffPage({ params, searchParams }: Props) {
  return diffTab(await shareScope(params), await searchParams);
}
