import { shareScope } from "../../../rounds/scope.ts";
import { inputsTab } from "../../../rounds/tabs/inputs-tab.tsx";

export default async function SharedInputsPage({ params }: { params: Promise<{ token: string }> }) {
  return inputsTab(await shareScope(params));
}
