import type { ReactNode } from "react";
import { DiffView } from "../../../components/round/diff-view.tsx";
import type { SearchParams } from "../list-query.ts";
import { diffQuery } from "../row-queries.ts";
import type { RoundScope } from "../scope.ts";
import { unfinished } from "./unfinished.tsx";

/** Report and reference side by side. */
export async function diffTab(scope: RoundScope, params: SearchParams): Promise<ReactNode> {
  const view = await scope.rows();
  const { summary } = scope.round;
  if (view === null || summary === null) return unfinished(scope);
  return (
    <DiffView
      apiPath={scope.apiPath}
      basePath={scope.basePath}
      counts={view.placeCounts()}
      truth={summary.truth}
      table={summary.table}
      matchesKept={summary.matches_kept}
      query={diffQuery(params)}
    />
  );
}
