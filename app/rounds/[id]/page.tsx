import { roundScope } from "../scope.ts";
import { overviewTab } from "../tab-pages.tsx";

export default async function OverviewPage({ params }: { params: Promise<{ id: string }> }) {
  return overviewTab(await roundScope(params));
}
