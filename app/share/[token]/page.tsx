import { shareScope } from "../../rounds/scope.ts";
import { overviewTab } from "../../rounds/tabs/overview-tab.tsx";

export default async function SharedOverviewPage({ params }: { params: Promise<{ token: string }> }) {
  return overviewTab(await shareScope(params));
}
