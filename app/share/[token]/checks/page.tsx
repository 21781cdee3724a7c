import { shareScope } from "../../../rounds/scope.ts";
import { checksTab } from "../../../rounds/tab-pages.tsx";

export default async function SharedChecksPage({ params }: { params: Promise<{ token: string }> }) {
  return checksTab(await shareScope(params));
}
