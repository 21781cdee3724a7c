import type { LogDecision, LogEnd, LogEvent, LogPublish, LogTally } from "../../../contract/decision-log.ts";
import type { GateConfig, GateRule, GateService } from "../../../contract/gate-config.ts";
import { differenceOf, type FieldDifference } from "./log-difference.ts";
import { type Machine, machine } from "./machine.ts";
import type { ReplayTools } from "./replay.ts";
import { route } from "./route.ts";

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

/** A decision that is not over before its freebie is counted: what it comes to then. */
type Pending = (at_ms: number) => ExpectedDecision;

interface Known {
  readonly seq: number;
  readonly version: number;
  readonly config: GateConfig;
}

export interface Auditor {
  /** Recomputes what happened next; events come in the order of `seq`. Differences, each with its clause. */
  play(event: LogEvent): FieldDifference[];
  /** What a decision comes to whose freebie was counted, or was not, at a time after others (`settled`). */
  settle(event: LogDecision): FieldDifference[];
  /** Comparisons made so far. */
  readonly checks: number;
  /** Decisions that rest on what only the gate knew of freebies. */
  readonly unproven_freebies: number;
}

/** The fields of a decision in the order in which their differences are told: what tells most comes first. */
const DECISION_FIELDS = [
  ...["version", "service", "client", "rules", "verdict", "reason", "denied_by", "retry_after_ms", "freebie"],
  ...["freebies_used", "ended", "balances"],
] as (keyof ExpectedDecision)[];

const NOTHING = { reason: null, denied_by: [], retry_after_ms: null, balances: [] };

/** How a log is recomputed. */
export interface AuditorOptions {
  readonly freebies: "memory" | "elsewhere";
  /** A configuration under which everything is decided, whatever was live (G8). */
  readonly instead?: GateConfig;
  /** Told what each decision comes to. */
  readonly decided?: (logged: LogDecision, expected: ExpectedDecision) => void;
}

/** Recomputes a gate's decisions from its log alone (G11): the snapshots, the requests, and how they ended. */
export function auditor(tools: ReplayTools, { freebies, instead, decided }: AuditorOptions): Auditor {
  const snapshots: Known[] = [];
  const pending = new Map<number, Pending>();
  let gate: Machine | null = null;
  let checks = 0;
  let unproven = 0;

  function compare(logged: object, expected: object, seq: number): FieldDifference[] {
    const found: FieldDifference[] = [];
    for (const [field, value] of Object.entries(expected)) {
      checks += 1;
      const difference = differenceOf(field, (logged as Record<string, unknown>)[field], value, seq);
      if (difference !== null) found.push(difference);
    }
    return found;
  }

  function play(event: LogEvent): FieldDifference[] {
    if (event.line === "publish") return publish(event);
    if (gate === null) throw new Error("a log begins with a snapshot (G11)");
    if (event.line === "decision") return decision(event, gate);
    return event.line === "end" ? end(event, gate) : tally(event, gate);
  }

  function publish(one: LogPublish): FieldDifference[] {
    if (instead !== undefined && gate !== null) return [];
    const config = instead ?? tools.accept(one.config);
    if (config === null)
      return [{ seq: one.seq, clause: "G1", field: "config", logged: "published", expected: "refused" }];
    // The first snapshot of a log is what it is; each further one is the next version (G8).
    const version = gate === null ? one.version : gate.state().version + 1;
    if (gate === null) gate = machine(config, version);
    else gate.publish(config, one.at);
    snapshots.push({ seq: one.seq, version, config });
    return compare(one, { version, config }, one.seq);
  }

  /** The snapshot that was live when a request came decides it (G8). */
  const snapshotAt = (seq: number): Known => snapshots.findLast((known) => known.seq <= seq) ?? snapshots[0]!;

  function decision(one: LogDecision, machine: Machine): FieldDifference[] {
    const known = snapshotAt(one.began ?? one.seq - 1);
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
        : byRow(one, machine, known, target);
    if (typeof found !== "function") return compareDecision(one, found);
    if (one.settled !== undefined) {
      pending.set(one.seq, found);
      return [];
    }
    const late = { seq: one.seq, clause: "G7", field: "settled", logged: null, expected: "a moment" };
    return [...compareDecision(one, found(one.at)), late];
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
    machine: Machine,
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
      const admitted = machine.admit({ ...demand, label: one.hold ?? null, freebie: null });
      if (!admitted.ok) return { ...common, ...denied(admitted) };
      const ended = admitted.taken === 0 ? "none" : one.hold === undefined ? "committed" : "held";
      return { ...common, verdict: "allowed", balances: admitted.balances, ended };
    }
    return byFreebie(one, machine, { ...common, client }, demand, most);
  }

  /** Free requests left: only an admitted request counts one (G7). */
  function byFreebie(
    one: LogDecision,
    machine: Machine,
    common: Omit<ExpectedDecision, "verdict"> & { client: string },
    demand: Omit<Parameters<Machine["admit"]>[0], "label" | "freebie">,
    most: number,
  ): ExpectedDecision | Pending {
    const freebie = machine.freebiesOf(demand.service.name, common.client);
    if (freebies === "elsewhere" || one.freebie === "unread") unproven += 1;
    if (one.freebie === "unread") return { ...common, verdict: "error", freebie: "unread" };
    if (freebies === "elsewhere") freebie.count = one.freebies_used ?? 0;
    const used = { freebies_used: freebie.count };
    if (freebie.count >= most) return { ...common, ...used, verdict: "challenged", freebie: "exhausted" };
    const label = one.hold ?? `settled at ${one.seq}`;
    const admitted = machine.admit({ ...demand, label, freebie });
    if (!admitted.ok) return { ...common, ...used, ...denied(admitted), freebie: "unspent" };
    const fails = one.freebie === "uncounted" || (one.freebie === "taken" && freebies === "elsewhere");
    if (fails) {
      unproven += 1;
      return (at_ms) => {
        const undone = machine.settle(label, "cancelled", at_ms, one.hold === undefined);
        const balances = "balances" in undone ? undone.balances : [];
        const fate = { ...common, ...used, freebie: one.freebie };
        if (one.freebie === "taken") return { ...fate, verdict: "challenged", ended: "cancelled" };
        return { ...fate, verdict: "error", balances, ended: balances.length > 0 ? "cancelled" : "none" };
      };
    }
    freebie.count += 1;
    const { balances, taken } = admitted;
    const allowed = {
      ...common,
      ...used,
      verdict: "allowed" as const,
      balances,
      freebie: "counted" as const,
    };
    if (one.hold !== undefined) return { ...allowed, ended: "held" };
    return (at_ms) => {
      machine.settle(label, "committed", at_ms, true);
      return { ...allowed, ended: taken === 0 ? "none" : "committed" };
    };
  }

  function settle(one: LogDecision): FieldDifference[] {
    const found = pending.get(one.seq);
    pending.delete(one.seq);
    return found === undefined ? [] : compareDecision(one, found(one.settled!.at));
  }

  function end(one: LogEnd, machine: Machine): FieldDifference[] {
    const found = machine.end(one.hold, one.asked, one.at);
    const balances = "balances" in found ? found.balances : [];
    const was = "was" in found ? found.was : null;
    return compare(one, { ended: found.ended, was, balances }, one.seq);
  }

  /** What the gate says of itself (G4, G6). */
  function tally(one: LogTally, machine: Machine): FieldDifference[] {
    machine.moveOn(one.at);
    const { ledger, evictions, config, buckets } = machine.state();
    const entries = config.services.map(({ name }) => [name, buckets.sizeOf(name)]);
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
    play,
    settle,
    get checks() {
      return checks;
    },
    get unproven_freebies() {
      return unproven;
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
