import { shareScope } from "../../../rounds/scope.ts";
import { breachesTab } from "../../../rounds/tabs/breaches-tab.tsx";

export default async function SharedBreachesPage({ params }: { params: Promise<{ token: string }> }) {
  return breachesTab(await shareScope(params));
}
