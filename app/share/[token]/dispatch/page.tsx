import type { SearchParams } from "../../../rounds/list-query.ts";
import { shareScope } from "../../../rounds/scope.ts";
import { dispatchTab } from "../../../rounds/tabs/dispatch-tab.tsx";

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function SharedDispatchPage({ params, searchParams }: Props) {
  return dispatchTab(await shareScope(params), await searchParams);
}
