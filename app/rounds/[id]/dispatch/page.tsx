import type { SearchParams } from "../../list-query.ts";
import { roundScope } from "../../scope.ts";
import { dispatchTab } from "../../tabs/dispatch-tab.tsx";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function DispatchPage({ params, searchParams }: Props) {
  return dispatchTab(await roundScope(params), await searchParams);
}
