import { roundScope } from "../../scope.ts";
import { inputsTab } from "../../tabs/inputs-tab.tsx";

export default async function InputsPage({ params }: { params: Promise<{ id: string }> }) {
  return inputsTab(await roundScope(params));
}
