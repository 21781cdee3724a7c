import { StartStatesView } from "../../../../components/start-states/start-states-view.tsx";
import { startStates } from "../../../../lib/rounds/shared-service.ts";
import { cancelStudy } from "../../../faults/actions.ts";
import { roundScope } from "../../scope.ts";
import { unfinished } from "../../tabs/unfinished.tsx";
import { findStart } from "./actions.ts";

/** Tenants listed, those with the most decisions that depend on the start. */
const TENANTS_SHOWN = 50;

export default async function StartPage({ params }: { params: Promise<{ id: string }> }) {
  const scope = await roundScope(params);
  if (scope.round.summary === null) return unfinished(scope);
  const { id } = scope.round;
  const service = await startStates();
  return (
    <StartStatesView
      study={await service.find(id)}
      tenants={(await service.tenants(id, { limit: TENANTS_SHOWN, offset: 0 })) ?? { rows: [], total: 0 }}
      basePath={scope.basePath}
      apiPath={scope.apiPath}
      start={findStart.bind(null, id)}
      cancel={cancelStudy}
    />
  );
}
