import { roundScope } from "../../scope.ts";
import { checksTab } from "../../tabs/checks-tab.tsx";

export default async function ChecksPage({ params }: { params: Promise<{ id: string }> }) {
  return checksTab(await roundScope(params));
}
