import { Stack } from "@mantine/core";
import { StartStatesPanel } from "../../../components/start-states/start-states-panel.tsx";
import { startStates } from "../../../lib/rounds/shared-service.ts";
import { roundScope } from "../scope.ts";
import { overviewTab } from "../tabs/overview-tab.tsx";

export default async function OverviewPage({ params }: { params: Promise<{ id: string }> }) {
  const scope = await roundScope(params);
  const overview = await overviewTab(scope);
  if (scope.round.summary === null) return overview;
  return (
    <Stack gap="md">
      {overview}
      <StartStatesPanel study={await (await startStates()).find(scope.round.id)} basePath={scope.basePath} />
    </Stack>
  );
}
