import { roundScope } from "../../scope.ts";
import { breachesTab } from "../../tabs/breaches-tab.tsx";

export default async function BreachesPage({ params }: { params: Promise<{ id: string }> }) {
  return breachesTab(await roundScope(params));
}
