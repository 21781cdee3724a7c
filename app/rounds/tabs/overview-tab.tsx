import type { ReactNode } from "react";
import { OverviewView } from "../../../components/round/overview-view.tsx";
import type { RoundScope } from "../scope.ts";
import { unfinished } from "./unfinished.tsx";

const WORST_TENANTS = 12;

/** The verdict from the top. */
export async function overviewTab(scope: RoundScope): Promise<ReactNode> {
  const view = await scope.rows();
  if (view === null || scope.round.summary === null) return unfinished(scope);
  const worst = await view.tenants({ sort: "worst", limit: WORST_TENANTS, offset: 0 });
  const reference = await Promise.all(worst.rows.map(({ tenant }) => view.breachCount("reference", tenant)));
  return (
    <OverviewView
      summary={scope.round.summary}
      worst={worst}
      referenceBreaches={reference}
      faults={scope.round.faults}
      basePath={scope.basePath}
      apiPath={scope.apiPath}
    />
  );
}
