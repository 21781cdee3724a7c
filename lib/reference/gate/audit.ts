import type {
  LogDecision,
  LogEnd,
  LogEvent,
  LogHeader,
  LogPublish,
  LogTally,
} from "../../../contract/decision-log.ts";
import type { GateConfig, GateRule, GateService } from "../../../contract/gate-config.ts";
import type { Label } from "./admission.ts";
import { differenceOf, type FieldDifference } from "./log-difference.ts";
import { balancesOf, giveFreebieBack, type Machine, type MachineEnd, machine } from "./machine.ts";
import type { ReplayTools } from "./replay.ts";
import { route } from "./route.ts";
import type { FreebieCount } from "./state.ts";

/** What a decision's line should say, as far as the reference can tell. */
export type ExpectedDecision = Pick<
  LogDecision,
  | "version"
  | "service"
  | "client"
  | "rules"
  | "verdict"
  | "reason"
  | "denied_by"
  | "retry_after_ms"
  | "balances"
  | "freebie"
  | "freebies_used"
  | "ended"
>;

/** A decision that is not over before its freebie is counted: what it comes to then. Not reached: the store was not. */
type Pending = (at_ms: number, isReached: boolean) => ExpectedDecision;

/** What a log's store has come to: a store of its own, or one that other processes share. Null: nothing went live there yet. */
export interface AuditedStore {
  machine: Machine | null;
}

/** What is asked of a shared store by a decision whose log does not tell where. */
class NotNumbered extends Error {
  readonly field: string;
  constructor(field: string) {
    super(`${field} is missing`);
    this.field = field;
  }
}

interface Known {
  readonly seq: number;
  readonly version: number;
  readonly config: GateConfig;
}

export interface Auditor {
  /** The gate goes by this snapshot from now on; `play` does it too, where that is not told before. */
  learn(event: LogPublish): void;
  /** Recomputes what happened next; events come in the order in which the store was asked. Differences, each with its clause. */
  play(event: LogEvent): FieldDifference[];
  /** Free requests of a shared store (G7, G12): one is asked after, counted or not, or given back; each has its own place. */
  readFreebie(event: LogDecision): FieldDifference[];
  countFreebie(event: LogDecision): FieldDifference[];
  returnFreebie(event: LogEnd): FieldDifference[];
  /** What a decision comes to whose freebie was counted, or was not, at a time after others (`settled`). */
  settle(event: LogDecision): FieldDifference[];
  /** Comparisons made so far. */
  readonly checks: number;
  /** Decisions that rest on what only the gate knew of freebies. */
  readonly unproven_freebies: number;
  /** What rests on a shared store's having been out of reach, which only the gate knew. */
  readonly unreached: number;
}

/** The fields of a decision in the order in which their differences are told: what tells most comes first. */
const DECISION_FIELDS = [
  ...["version", "service", "client", "rules", "verdict", "reason", "denied_by", "retry_after_ms", "freebie"],
  ...["freebies_used", "ended", "balances"],
] as (keyof ExpectedDecision)[];

const NO_SNAPSHOT = "a log begins with a snapshot (G11)";

const NOTHING = { reason: null, denied_by: [], retry_after_ms: null, balances: [] };

/** How a log is recomputed. */
export interface AuditorOptions {
  readonly freebies: LogHeader["freebies"];
  /**
   * The store that an order belongs to, where processes share one (G12); of null, that of what was not asked of a store,
   * if there is to be one. Absent: the gate has a store of its own.
   */
  readonly storeOf?: (order: string | null) => AuditedStore | null;
  /** A configuration under which everything is decided, whatever was live (G8). */
  readonly instead?: GateConfig;
  /** Told what each decision comes to. */
  readonly decided?: (logged: LogDecision, expected: ExpectedDecision) => void;
}

/** Recomputes a gate's decisions from its log alone (G11): the snapshots, the requests, and how they ended. */
export function auditor(tools: ReplayTools, options: AuditorOptions): Auditor {
  const { freebies, instead, decided, storeOf } = options;
  const own: AuditedStore = { machine: null };
  /** Whether each look at free requests, and each count of one, has its place in the order of the store (G12). */
  const isNumbered = freebies === "shared" && instead === undefined;
  const snapshots: Known[] = [];
  const pending = new Map<number, Pending>();
  /** Of decisions under way, by `seq`: what was read of free requests, and whether one more was counted. */
  const reads = new Map<number, number>();
  const counts = new Map<number, boolean>();
  const bounds = new Map<
    number,
    { readonly service: string; readonly client: string; readonly most: number }
  >();
  /** What an admission held that was cancelled, by the `seq` of its end. */
  const returns = new Map<number, FreebieCount>();
  let checks = 0;
  let unproven = 0;
  let unreached = 0;

  function compare(logged: object, expected: object, seq: number): FieldDifference[] {
    const found: FieldDifference[] = [];
    for (const [field, value] of Object.entries(expected)) {
      checks += 1;
      const difference = differenceOf(field, (logged as Record<string, unknown>)[field], value, seq);
      if (difference !== null) found.push(difference);
    }
    return found;
  }

  /** Where an order stands; null: a shared store was not asked, or gave no answer. */
  function placeOf(order: string | undefined): AuditedStore | null {
    return storeOf === undefined ? own : storeOf(order ?? null);
  }

  /** What a store has come to. Throws where nothing was published there: a log begins with a snapshot. */
  function machineAt({ machine }: AuditedStore): Machine {
    if (machine === null) throw new Error(NO_SNAPSHOT);
    return machine;
  }

  function play(event: LogEvent): FieldDifference[] {
    const store = placeOf(event.order ?? (event.line === "tally" ? event.after : undefined));
    if (event.line === "publish") return publish(event, store);
    if (event.line === "decision") return decision(event, store);
    if (event.line === "end") return end(event, store);
    return store === null ? [misplaced(event, "a place")] : tally(event, machineAt(store));
  }

  /** A store that processes share was asked and the log does not tell where, or the other way round (G12). */
  function misplaced({ seq, order }: LogEvent, expected: "a place" | null): FieldDifference {
    return { seq, clause: "G12", field: "order", logged: order ?? null, expected };
  }

  function learn({ seq, version, config, founded }: LogPublish): void {
    if (snapshots.some((known) => known.seq === seq)) return;
    if (founded === true || (instead !== undefined && snapshots.length > 0)) return;
    const accepted = instead ?? tools.accept(config);
    if (accepted !== null) snapshots.push({ seq, version, config: accepted });
  }

  function publish(one: LogPublish, store: AuditedStore | null): FieldDifference[] {
    learn(one);
    if (instead !== undefined && store?.machine !== null) return [];
    const config = instead ?? tools.accept(one.config);
    if (config === null)
      return [{ seq: one.seq, clause: "G1", field: "config", logged: "published", expected: "refused" }];
    // What another process published is compared where that one tells it.
    if (store === null) return compare(one, { config }, one.seq);
    // The first snapshot of a store is what it is; each further one is the next version (G8).
    const version = store.machine === null ? one.version : store.machine.state().version + 1;
    if (store.machine === null) store.machine = machine(config, version);
    else store.machine.publish(config, one.at);
    return compare(one, { version, config }, one.seq);
  }

  /** The snapshot that was live when a request came decides it (G8). */
  function snapshotAt(seq: number): Known {
    const known = snapshots.findLast((one) => one.seq <= seq) ?? snapshots[0];
    if (known === undefined) throw new Error(NO_SNAPSHOT);
    return known;
  }

  function decision(one: LogDecision, store: AuditedStore | null): FieldDifference[] {
    let isAsked = false;
    const ask = (): Machine => {
      isAsked = true;
      if (store === null) throw new NotNumbered("order");
      return machineAt(store);
    };
    try {
      const found = decisionBy(one, ask);
      reads.delete(one.seq);
      return storeOf !== undefined && store !== null && !isAsked ? [...found, misplaced(one, null)] : found;
    } catch (error) {
      if (error instanceof NotNumbered)
        return [{ seq: one.seq, clause: "G12", field: error.field, logged: null, expected: "a place" }];
      throw error;
    }
  }

  /** `ask`: what the store has come to, as far as it is asked. */
  function decisionBy(one: LogDecision, ask: () => Machine): FieldDifference[] {
    const known = snapshotAt(one.began ?? one.seq);
    const target = route(known.config, one, tools.matches);
    const common = { version: known.version, ...NOTHING, freebie: undefined, freebies_used: undefined };
    const found =
      target === null
        ? {
            ...common,
            service: null,
            client: null,
            rules: [],
            verdict: "unmatched" as const,
            ended: "none" as const,
          }
        : byRow(one, ask, known, target);
    if (typeof found !== "function") return compareDecision(one, found);
    // One that is held is over once its freebie is counted.
    if (one.settled !== undefined || (one.hold !== undefined && one.freebie_counted !== undefined)) {
      pending.set(one.seq, found);
      return [];
    }
    const late = { seq: one.seq, clause: "G7", field: "settled", logged: null, expected: "a moment" };
    return [...compareDecision(one, found(one.at, true)), late];
  }

  function compareDecision(one: LogDecision, expected: ExpectedDecision): FieldDifference[] {
    decided?.(one, expected);
    const inOrder = DECISION_FIELDS.map((field) => [field, expected[field]]);
    const found = compare(one, Object.fromEntries(inOrder), one.seq);
    const settles = expected.ended !== "held" && (expected.freebie === "counted" || isUndone(expected));
    if (one.settled === undefined || settles) return found;
    const { seq, settled } = one;
    return [...found, { seq, clause: "G7", field: "settled", logged: settled, expected: null }];
  }

  const isUndone = ({ freebie }: ExpectedDecision): boolean => freebie === "uncounted" || freebie === "taken";

  /** The first row of G7 that applies. A function: it is not over yet. */
  function byRow(
    one: LogDecision,
    ask: () => Machine,
    { version, config }: Known,
    { service, rules }: { service: GateService; rules: GateRule[] },
  ): ExpectedDecision | Pending {
    const { auth, price } = service;
    const byToken = auth !== "off" && one.credential === "valid";
    const free = auth === "off" || price === 0;
    const most = typeof auth === "object" ? auth.freebie : 0;
    const common = {
      ...{
        version,
        service: service.name,
        rules: rules.map(({ id }) => id),
        ...NOTHING,
        ended: "none" as const,
      },
      ...{ client: clientOf(one, byToken), freebie: undefined, freebies_used: undefined },
    };
    if (!byToken && !free && most === 0) return { ...common, verdict: "challenged" };
    if (common.client === null) return { ...common, verdict: "denied", reason: "client" };
    const client = common.client;
    const demand = { at_ms: one.at, service, rules, client, hold_ms: config.hold_ms };
    if (byToken || free) {
      // Nothing to debit: no bucket, and no call of a shared store; in a gate's own store time comes to now all the same (G4).
      if (rules.length === 0 && storeOf !== undefined) return { ...common, verdict: "allowed" };
      if (one.unreached === true) return { ...common, ...outOfReach(service) };
      const admitted = ask().admit({ ...demand, label: one.hold ?? null, freebie: null });
      if (!admitted.ok) return { ...common, ...denied(admitted) };
      const ended = admitted.taken === 0 ? "none" : one.hold === undefined ? "committed" : "held";
      return { ...common, verdict: "allowed", balances: admitted.balances, ended };
    }
    return byFreebie(one, ask, { ...common, client }, demand, most);
  }

  /** What a service does where the store cannot be asked (G12); that it could not is a fact that only the gate knew. */
  function outOfReach({ on_unavailable }: GateService): Pick<ExpectedDecision, "verdict" | "reason"> {
    unreached += 1;
    return on_unavailable === "allow"
      ? { verdict: "allowed", reason: null }
      : { verdict: "denied", reason: "unavailable" };
  }

  /** Free requests left: only an admitted request counts one (G7). */
  function byFreebie(
    one: LogDecision,
    ask: () => Machine,
    common: Omit<ExpectedDecision, "verdict"> & { client: string },
    demand: Omit<Parameters<Machine["admit"]>[0], "label" | "freebie">,
    most: number,
  ): ExpectedDecision | Pending {
    const freebie = freebieOf(one, ask, demand.service.name, common.client);
    if (one.freebie === "unread") return { ...common, verdict: "error", freebie: "unread" };
    const used = { freebies_used: reads.get(one.seq) ?? freebie.count };
    if (used.freebies_used >= most)
      return { ...common, ...used, verdict: "challenged", freebie: "exhausted" };
    const label: Label = one.hold ?? Symbol("settled");
    const missed = one.unreached === true ? outOfReach(demand.service) : null;
    if (missed?.verdict === "denied") return { ...common, ...used, ...missed, freebie: "unspent" };
    const admitted =
      missed === null
        ? ask().admit({ ...demand, label, freebie: heldOf(freebie, ask, demand.service.name, common.client) })
        : { ok: true as const, taken: 0, balances: [] };
    if (!admitted.ok) return { ...common, ...used, ...denied(admitted), freebie: "unspent" };
    // Of a shared store, the end of the admission has a place of its own.
    const settleBy = (how: "committed" | "cancelled", at_ms: number) => {
      const store = placeOf(one.settled?.order);
      return machineAt(store ?? own).settle(label, how, at_ms);
    };
    const { balances, taken } = admitted;
    const over = (fate: LogDecision["freebie"]): Pending => {
      if (fate !== "counted")
        return (at_ms, isReached) => {
          const undone = isReached ? balancesOf(settleBy("cancelled", at_ms)) : [];
          const failed = { ...common, ...used, freebie: fate };
          if (fate === "taken") return { ...failed, verdict: "challenged", ended: "cancelled" };
          const ended = undone.length > 0 ? "cancelled" : "none";
          return { ...failed, verdict: "error", balances: undone, ended };
        };
      return (at_ms, isReached) => {
        const allowed = { ...common, ...used, verdict: "allowed" as const, balances, freebie: fate };
        if (one.hold !== undefined) return { ...allowed, ended: "held" };
        if (isReached) settleBy("committed", at_ms);
        return { ...allowed, ended: taken === 0 ? "none" : "committed" };
      };
    };
    if (one.freebie_counted !== undefined && storeOf !== undefined) {
      bounds.set(one.seq, { service: demand.service.name, client: common.client, most });
      return (at_ms, isReached) => over(counts.get(one.seq) ? "counted" : "taken")(at_ms, isReached);
    }
    // That one could not be counted, or was counted or taken elsewhere, is a fact that only the gate knew.
    if (isNumbered && one.freebie !== "uncounted") throw new NotNumbered("freebie_counted");
    const isFact = one.freebie === "uncounted" || (one.freebie === "taken" && freebies !== "memory");
    if (isFact) unproven += 1;
    if (isFact) return over(one.freebie);
    freebie.count += 1;
    return one.hold === undefined ? over("counted") : over("counted")(one.at, true);
  }

  /** The client's free requests: those that were counted here, or as many as the gate was told elsewhere. */
  function freebieOf(one: LogDecision, ask: () => Machine, service: string, client: string): FreebieCount {
    const read = reads.get(one.seq);
    if (read !== undefined) return { count: read };
    const isOwn = freebies === "memory" || instead !== undefined;
    if (!isOwn || one.freebie === "unread") unproven += 1;
    if (one.freebie === "unread") return { count: 0 };
    if (isNumbered) throw new NotNumbered("freebie_read");
    return isOwn ? ask().freebiesOf(service, client) : { count: one.freebies_used ?? 0 };
  }

  /** What an admission holds of free requests: on a shared store, whoever cancels it gives that back there. */
  function heldOf(told: FreebieCount, ask: () => Machine, service: string, client: string): FreebieCount {
    return isNumbered ? ask().freebiesOf(service, client) : told;
  }

  function readFreebie(one: LogDecision): FieldDifference[] {
    const known = snapshotAt(one.began ?? one.seq);
    const target = route(known.config, one, tools.matches);
    const client = clientOf(one, false);
    if (target === null || client === null) return [misplaced(one, null)];
    const { count } = machineAt(placeOf(one.freebie_read)!).freebiesOf(target.service.name, client);
    reads.set(one.seq, count);
    return [];
  }

  function countFreebie(one: LogDecision): FieldDifference[] {
    const bound = bounds.get(one.seq);
    bounds.delete(one.seq);
    if (bound === undefined) return [misplaced(one, null)];
    const freebie = machineAt(placeOf(one.freebie_counted)!).freebiesOf(bound.service, bound.client);
    const isLeft = freebie.count < bound.most;
    if (isLeft) freebie.count += 1;
    counts.set(one.seq, isLeft);
    return one.settled === undefined ? finish(one, one.at, true) : [];
  }

  /** What was cancelled gives its free request back, once (G7). */
  function returnFreebie(one: LogEnd): FieldDifference[] {
    const freebie = returns.get(one.seq);
    returns.delete(one.seq);
    if (freebie === undefined) {
      const told = { logged: one.freebie_returned ?? null, expected: null };
      return [{ seq: one.seq, clause: "G7", field: "freebie_returned", ...told }];
    }
    giveFreebieBack(freebie);
    return [];
  }

  function settle(one: LogDecision): FieldDifference[] {
    const { at, order } = one.settled!;
    const isReached = storeOf === undefined || order !== undefined;
    if (!isReached) unreached += 1;
    return finish(one, at, isReached);
  }

  function finish(one: LogDecision, at_ms: number, isReached: boolean): FieldDifference[] {
    const found = pending.get(one.seq);
    pending.delete(one.seq);
    if (found === undefined) return [];
    const differences = compareDecision(one, found(at_ms, isReached));
    counts.delete(one.seq);
    return differences;
  }

  function end(one: LogEnd, store: AuditedStore | null): FieldDifference[] {
    if (store === null) {
      unreached += 1;
      return compare(one, { ended: "unreached", was: null, balances: [] }, one.seq);
    }
    const found = endAt(machineAt(store), one);
    const balances = balancesOf(found);
    const was = "was" in found ? found.was : null;
    return compare(one, { ended: found.ended, was, balances }, one.seq);
  }

  /** An end; the free request of a shared store is given back at a place of its own, or it could not be. */
  function endAt(machine: Machine, one: LogEnd): MachineEnd {
    if (!isNumbered) return machine.end(one.hold, one.asked, one.at);
    const found = machine.settle(one.hold, one.asked, one.at);
    if (found.ended !== "cancelled" || found.freebie === null) return found;
    if (one.freebie_returned === undefined) unreached += 1;
    else returns.set(one.seq, found.freebie);
    return found;
  }

  /** What the gate says of itself (G4, G6). */
  function tally(one: LogTally, machine: Machine): FieldDifference[] {
    machine.moveOn(one.at);
    const { ledger, evictions, config, buckets } = machine.state();
    const live = config.services.map(({ name }) => name);
    // A shared store counts services that are gone too, in an order of its own.
    const names = storeOf === undefined ? live : new Set([...one.entries.map(([name]) => name), ...live]);
    const entries = [...names].map((name) => [name, buckets.sizeOf(name)]);
    const { reserved, committed, cancelled, expired, outstanding } = one.ledger;
    const told = { reserved: committed + cancelled + expired + outstanding };
    return [
      ...compare(one.ledger, ledger, one.seq),
      ...compare({ equation: reserved }, { equation: told.reserved }, one.seq),
      ...compare(one.evictions, evictions, one.seq),
      ...compare(one, { entries }, one.seq),
    ];
  }

  return {
    learn,
    play,
    readFreebie,
    countFreebie,
    returnFreebie,
    settle,
    get checks() {
      return checks;
    },
    get unproven_freebies() {
      return unproven;
    },
    get unreached() {
      return unreached;
    },
  };
}

/** As logged where it is of the kind by which the request is limited (G3, G7). */
function clientOf({ client }: LogDecision, byToken: boolean): string | null {
  if (client === null) return byToken ? "token:…" : null;
  const kind = byToken ? "token:" : "ip:";
  return client.startsWith(kind) ? client : `${kind}…`;
}

function denied(admitted: Extract<ReturnType<Machine["admit"]>, { ok: false }>) {
  const { ok: _, ...found } = admitted;
  return { ...found, verdict: "denied" as const };
}
