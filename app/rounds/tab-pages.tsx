import type { ReactNode } from "react";
import { BreachesView } from "../../components/round/breaches-view.tsx";
import { BucketsView } from "../../components/round/buckets-view.tsx";
import { ChecksView } from "../../components/round/checks-view.tsx";
import { DiffView } from "../../components/round/diff-view.tsx";
import { DispatchView } from "../../components/round/dispatch-view.tsx";
import { InputsView } from "../../components/round/inputs-view.tsx";
import { OverviewView } from "../../components/round/overview-view.tsx";
import { ProblemView } from "../../components/round/problem-view.tsx";
import { ProgressView } from "../../components/round/progress-view.tsx";
import { cancelRound } from "./actions.ts";
import type { SearchParams } from "./list-query.ts";
import { bucketQuery, diffQuery, dispatchQuery } from "./row-queries.ts";
import type { RoundScope } from "./scope.ts";

const BREACHES_SHOWN = 200;
const DEBITS_SHOWN = 5;
const WORST_TENANTS = 12;
const GROUPS_SHOWN = 500;
const POINTS = 400;

/** What stands in a tab's place while the round has no rows. */
function unfinished({ round, readOnly }: RoundScope): ReactNode {
  if (round.state === "waiting" || round.state === "running")
    return <ProgressView round={round} {...(readOnly ? {} : { cancel: cancelRound.bind(null, round.id) })} />;
  return <ProblemView round={round} />;
}

export async function overviewTab(scope: RoundScope): Promise<ReactNode> {
  const view = await scope.service.view(scope.round.id);
  if (view === null || scope.round.summary === null) return unfinished(scope);
  const worst = view.tenants({ sort: "worst", limit: WORST_TENANTS, offset: 0 });
  return (
    <OverviewView
      summary={scope.round.summary}
      worst={worst}
      faults={scope.round.faults}
      basePath={scope.basePath}
    />
  );
}

export async function bucketsTab(scope: RoundScope, params: SearchParams): Promise<ReactNode> {
  const view = await scope.service.view(scope.round.id);
  if (view === null) return unfinished(scope);
  const query = bucketQuery(params);
  const page = view.tenants(query);
  const series = page.rows.flatMap(({ tenant }) => view.balance(tenant, POINTS) ?? []);
  const window = { limit: GROUPS_SHOWN, offset: 0 };
  const open =
    query.tenant === ""
      ? null
      : {
          tenant: query.tenant,
          engine: view.groups("engine", query.tenant, window),
          reference: view.groups("reference", query.tenant, window),
        };
  return <BucketsView series={series} total={page.total} query={query} open={open} />;
}

export async function dispatchTab(scope: RoundScope, params: SearchParams): Promise<ReactNode> {
  const view = await scope.service.view(scope.round.id);
  if (view === null) return unfinished(scope);
  const query = dispatchQuery(params);
  const target = query.req === "" ? null : view.decision(query.req);
  return <DispatchView apiPath={scope.apiPath} basePath={scope.basePath} query={query} target={target} />;
}

export async function breachesTab(scope: RoundScope): Promise<ReactNode> {
  const view = await scope.service.view(scope.round.id);
  if (view === null) return unfinished(scope);
  const breaches = view.breaches({ limit: BREACHES_SHOWN, offset: 0 });
  const rows = breaches.rows.map((group) => ({
    group,
    tenant: view.tenant(group.tenant),
    debits: view.debitsBefore(group.source, group.tenant, group.position, DEBITS_SHOWN),
    isAgreed: breaches.rows.some(
      (other) =>
        other.source !== group.source && other.tenant === group.tenant && other.time_ms === group.time_ms,
    ),
  }));
  return <BreachesView rows={rows} total={breaches.total} />;
}

export async function diffTab(scope: RoundScope, params: SearchParams): Promise<ReactNode> {
  const view = await scope.service.view(scope.round.id);
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

export async function checksTab(scope: RoundScope): Promise<ReactNode> {
  const { summary } = scope.round;
  return summary === null ? unfinished(scope) : <ChecksView summary={summary} />;
}

export async function inputsTab(scope: RoundScope): Promise<ReactNode> {
  const inputs = await scope.service.inputs(scope.round.id);
  if (inputs === null) return unfinished(scope);
  return (
    <InputsView
      inputs={inputs}
      reading={scope.round.reading}
      skipped={scope.round.summary?.skipped ?? null}
      apiPath={scope.apiPath}
    />
  );
}
