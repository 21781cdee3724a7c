import { roundScope } from "../../scope.ts";
import { inputsTab } from "../../tab-pages.tsx";

export default async function InputsPage({ params }: { params: Promise<{ id: string }> }) {
  return inputsTab(await roundScope(params));
}
