import type { ReactNode } from "react";
import { DiffView } from "../../../components/round/diff-view.tsx";
import { recordDeviation, withdrawDeviation } from "../actions.ts";
import type { SearchParams } from "../list-query.ts";
import { diffQuery } from "../row-queries.ts";
import type { RoundScope } from "../scope.ts";
import { unfinished } from "./unfinished.tsx";

/** A position as an address holds it; null where it holds something else. */
const positionOf = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

/** Report and reference side by side. */
export async function diffTab(scope: RoundScope, params: SearchParams): Promise<ReactNode> {
  const view = await scope.rows();
  const { summary } = scope.round;
  if (view === null || summary === null) return unfinished(scope);
  const query = diffQuery(params);
  const [place, open] = [positionOf(query.place), positionOf(query.open)];
  const { id } = scope.round;
  const actions = scope.readOnly
    ? {}
    : { actions: { record: recordDeviation.bind(null, id), withdraw: withdrawDeviation.bind(null, id) } };
  return (
    <DiffView
      apiPath={scope.apiPath}
      basePath={scope.basePath}
      counts={await view.placeCounts()}
      truth={summary.truth}
      table={summary.table}
      matchesKept={summary.matches_kept}
      query={query}
      target={place === null ? null : await view.indexOfPlace(query, place)}
      opened={open === null ? null : await view.place(open)}
      deviations={await scope.service.deviations(id, scope.access)}
      {...actions}
    />
  );
}
