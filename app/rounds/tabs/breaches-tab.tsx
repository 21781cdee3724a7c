import type { ReactNode } from "react";
import { BreachesView } from "../../../components/round/breaches-view.tsx";
import { shownBreaches } from "../../../components/round/shown-breaches.ts";
import type { GroupView, TenantRow } from "../../../contract/round-view.ts";
import type { StudyItem } from "../../../contract/study.ts";
import type { BreachWitness } from "../../../contract/witness.ts";
import { witnessStudies } from "../../../lib/rounds/shared-service.ts";
import { rerunWitness, startWitness } from "../actions.ts";
import type { RoundScope } from "../scope.ts";
import { unfinished } from "./unfinished.tsx";

const BREACHES_SHOWN = 50;
const DEBITS_SHOWN = 5;

/** Each broken reserve, with the debits that led there. */
export async function breachesTab(scope: RoundScope): Promise<ReactNode> {
  const view = await scope.rows();
  if (view === null) return unfinished(scope);
  const { rows: found, total } = await view.breaches({ limit: BREACHES_SHOWN + 1, offset: 0 });
  const breaches = shownBreaches(found, BREACHES_SHOWN);
  // A witness is a part of the stream: where that is withheld or masked, there is none to show.
  const maySee = scope.access.raw && scope.access.mask_key === null;
  const witnesses = await witnessStudies();
  const firstOf = new Map<string, GroupView>();
  for (const { group } of breaches) if (!firstOf.has(group.tenant)) firstOf.set(group.tenant, group);
  const looked = new Map<string, StudyItem<BreachWitness> | null>();
  if (maySee)
    for (const tenant of firstOf.keys()) looked.set(tenant, await witnesses.find(scope.round.id, tenant));
  const tenants = new Map<string, TenantRow | null>();
  for (const tenant of firstOf.keys()) tenants.set(tenant, await view.tenant(tenant));
  const debits = await Promise.all(
    breaches.map(({ group: { source, tenant, position } }) =>
      view.debitsBefore(source, tenant, position, DEBITS_SHOWN),
    ),
  );
  const rows = breaches.map(({ group, isAgreed }, at) => ({
    // One witness a tenant, beside its first breach.
    witness:
      maySee && firstOf.get(group.tenant)?.time_ms === group.time_ms
        ? (looked.get(group.tenant) ?? null)
        : undefined,
    group,
    tenant: tenants.get(group.tenant) ?? null,
    debits: debits[at]!,
    isAudit: scope.round.audit !== null,
    isAgreed,
  }));
  const { id } = scope.round;
  const actions = scope.readOnly
    ? {}
    : { actions: { start: startWitness.bind(null, id), rerun: rerunWitness.bind(null, id) } };
  return <BreachesView rows={rows} total={total} apiPath={scope.apiPath} {...actions} />;
}
