import { shareScope } from "../../../rounds/scope.ts";
import { checksTab } from "../../../rounds/tabs/checks-tab.tsx";

export default async function SharedChecksPage({ params }: { params: Promise<{ token: string }> }) {
  return checksTab(await shareScope(params));
}
