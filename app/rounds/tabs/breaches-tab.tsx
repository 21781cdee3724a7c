import type { ReactNode } from "react";
import { BreachesView } from "../../../components/round/breaches-view.tsx";
import type { RoundScope } from "../scope.ts";
import { unfinished } from "./unfinished.tsx";

const BREACHES_SHOWN = 200;
const DEBITS_SHOWN = 5;

/** Each broken reserve, with the debits that led there. */
export async function breachesTab(scope: RoundScope): Promise<ReactNode> {
  const view = await scope.rows();
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
  return <BreachesView rows={rows} total={breaches.total} apiPath={scope.apiPath} />;
}
