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

/** What the store tells of a service; null where it cannot be read now. */
async function figuresOf(name: string, { figures }: StateSources) {
  try {
    const [entries, { ledger, evictions }] = await Promise.all([figures.sizeOf(name), figures.stateOf(name)]);
    return { entries, ledger, evictions };
  } catch {
    return { entries: null, ledger: null, evictions: null };
  }
}

async function serviceState(service: Service, sources: StateSources): Promise<GateServiceState> {
  const { name, config } = service;
  const tally = sources.tallies.services.get(name)!;
  const { reasons, unchecked } = tally;
  return {
    name,
    config,
    ...(await figuresOf(name, sources)),
    max_entries: config.max_entries,
    denied: { ...reasons },
    unchecked,
    rules: rulesOf(service, tally),
  };
}

/** The live gate at this moment, for the admin interface. */
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
    refusals: gate.refusals.map(({ number, time_ms: at_ms, why, from, problems }) => ({
      ...{ number, at_ms, why, from, problem: problems[0] ?? null, problems: problems.length },
    })),
    log: sources.log(),
    services: await Promise.all(snapshot.services.map((service) => serviceState(service, sources))),
  };
}
