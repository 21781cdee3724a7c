import { roundScope } from "../scope.ts";
import { overviewTab } from "../tabs/overview-tab.tsx";

export default async function OverviewPage({ params }: { params: Promise<{ id: string }> }) {
  return overviewTab(await roundScope(params));
}
