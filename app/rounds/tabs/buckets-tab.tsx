import type { ReactNode } from "react";
import { BucketsView } from "../../../components/round/buckets-view.tsx";
import type { SearchParams } from "../list-query.ts";
import { bucketQuery } from "../row-queries.ts";
import type { RoundScope } from "../scope.ts";
import { unfinished } from "./unfinished.tsx";

const GROUPS_SHOWN = 500;
const POINTS = 400;

/** Each tenant's balance over time. */
export async function bucketsTab(scope: RoundScope, params: SearchParams): Promise<ReactNode> {
  const view = await scope.rows();
  if (view === null) return unfinished(scope);
  const query = bucketQuery(params);
  // A report that was made elsewhere holds no arithmetic: only the reference's is known.
  const side = scope.round.audit === null ? "engine" : "reference";
  const page = await view.tenants(query);
  const pinned = await view.balances(query.pins, POINTS, side);
  const others = page.rows.map(({ tenant }) => tenant).filter((tenant) => !query.pins.includes(tenant));
  const series = await view.balances(others, POINTS, side);
  const window = { limit: GROUPS_SHOWN, offset: 0 };
  const open =
    query.tenant === ""
      ? null
      : {
          tenant: query.tenant,
          engine: side === "engine" ? await view.groups("engine", query.tenant, window) : null,
          reference: await view.groups("reference", query.tenant, window),
        };
  return (
    <BucketsView
      pinned={pinned}
      series={series}
      total={page.total}
      query={query}
      open={open}
      apiPath={scope.apiPath}
    />
  );
}
