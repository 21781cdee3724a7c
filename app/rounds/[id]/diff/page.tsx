import type { SearchParams } from "../../list-query.ts";
import { roundScope } from "../../scope.ts";
import { diffTab } from "../../tabs/diff-tab.tsx";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function DiffPage({ params, searchParams }: Props) {
  return diffTab(await roundScope(params), await searchParams);
}
