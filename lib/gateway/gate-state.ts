import type { GateRuleState, GateServiceState, GateState } from "../../contract/gate-admin.ts";
import type { Service } from "../gate/snapshot.ts";
import type { GateControl } from "./control.ts";
import type { StoreFigures } from "./store-figures.ts";
import type { ServiceTally, Tallies } from "./tallies.ts";

/** What the state is read from. */
export interface StateSources {
  readonly control: GateControl;
  readonly tallies: Tallies;
  readonly figures: StoreFigures;
  readonly store: GateState["store"];
  readonly started_ms: number;
  readonly clock: () => number;
  readonly unready: () => string | null;
  readonly log: () => GateState["log"];
}

function rulesOf({ config }: Service, tally: ServiceTally): GateRuleState[] {
  return config.rules.map(({ id, path, requests, per, burst }) => {
    const { allowed = 0, denied = 0 } = tally.rules.get(id) ?? {};
    return { id, path: path ?? null, requests, per, burst, allowed, denied };
  });
}

async function serviceState(service: Service, { tallies, figures }: StateSources): Promise<GateServiceState> {
  const { name, config } = service;
  const tally = tallies.services.get(name)!;
  const [entries, { ledger, evictions }] = await Promise.all([figures.sizeOf(name), figures.stateOf(name)]);
  const { max_entries } = config;
  const { reasons, unchecked } = tally;
  return {
    name,
    config,
    entries,
    max_entries,
    ledger,
    evictions,
    denied: { ...reasons },
    unchecked,
    rules: rulesOf(service, tally),
  };
}

/** The live gate at this moment, for the admin interface. Rejects where the store cannot be read. */
export async function gateState(sources: StateSources): Promise<GateState> {
  const { control, store, started_ms, clock, unready } = sources;
  const { gate, history } = control;
  const { version, snapshot, updates } = gate;
  return {
    now_ms: clock(),
    started_ms,
    version,
    published_ms: history.find(version)?.published_ms ?? started_ms,
    store,
    ready: unready() === null,
    updates: { ...updates },
    log: sources.log(),
    services: await Promise.all(snapshot.services.map((service) => serviceState(service, sources))),
  };
}
