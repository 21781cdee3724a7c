import type { ReactNode } from "react";
import { DispatchView } from "../../../components/round/dispatch-view.tsx";
import type { SearchParams } from "../list-query.ts";
import { dispatchQuery } from "../row-queries.ts";
import type { RoundScope } from "../scope.ts";
import { unfinished } from "./unfinished.tsx";

/** The order of dispatch beside that of the file. */
export async function dispatchTab(scope: RoundScope, params: SearchParams): Promise<ReactNode> {
  const view = await scope.rows();
  const { summary } = scope.round;
  if (view === null || summary === null) return unfinished(scope);
  const query = dispatchQuery(params);
  const target = query.req === "" ? null : await view.decision(query.req);
  return (
    <DispatchView
      apiPath={scope.apiPath}
      basePath={scope.basePath}
      size={{ requests: summary.requests, span_ms: summary.span_ms }}
      query={query}
      isKnown={target !== null}
      target={target === null ? null : await view.indexOfDecision(query, target)}
      opened={query.open === "" ? null : await view.decision(query.open)}
    />
  );
}
