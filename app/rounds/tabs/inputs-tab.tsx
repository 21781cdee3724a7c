import type { ReactNode } from "react";
import { InputsView } from "../../../components/round/inputs-view.tsx";
import { skippedLines } from "../../../lib/rounds/sharing/round-import.ts";
import { filesWithin } from "../../../lib/rounds/sharing/shared-round.ts";
import type { RoundScope } from "../scope.ts";
import { unfinished } from "./unfinished.tsx";

/** What the round was decided from. */
export async function inputsTab(scope: RoundScope): Promise<ReactNode> {
  const inputs = await scope.service.inputs(scope.round.id, scope.access);
  if (inputs === null) return unfinished(scope);
  const { summary } = scope.round;
  return (
    <InputsView
      inputs={inputs}
      files={filesWithin(scope.access)}
      reading={scope.round.reading}
      skipped={summary === null ? null : skippedLines(summary.skipped, inputs.import)}
      apiPath={scope.apiPath}
    />
  );
}
