import type {
  GateBalances,
  GateCaseResult,
  GateEndOutcome,
  GateEndStep,
  GateOutcome,
  GatePublishOutcome,
  GatePublishStep,
  GateRequestOutcome,
  GateRequestStep,
  GateStep,
} from "../../../contract/gate-case.ts";
import type { GateConfig } from "../../../contract/gate-config.ts";
import { type Balances, balancesOf, machine } from "./machine.ts";
import { networkOf } from "./network.ts";
import { type Matches, route } from "./route.ts";
import type { GateState } from "./state.ts";

/** What the reference is handed: how a configuration is judged, and RE2. */
export interface ReplayTools {
  /** The configuration in normal form, or null where it must be refused (G1). */
  accept(config: unknown): GateConfig | null;
  matches: Matches;
}

export interface Replay {
  step(step: GateStep): GateOutcome;
  /** Ledger, evictions and the buckets, as of the last step. */
  state(): Readonly<GateState>;
}

/** Without a prototype: a rule may be named `__proto__`. */
function shown(balances: Balances): GateBalances {
  const object: GateBalances = Object.create(null);
  for (const [rule, balance] of balances) object[rule] = balance;
  return object;
}

/** Decides the steps of a case again (G1–G8), by exact rationals and from the text alone. Throws where the first configuration is refused. */
export function replay(config: unknown, tools: ReplayTools): Replay {
  const first = tools.accept(config);
  if (first === null) throw new Error("the configuration of the case is refused (G1)");
  const gate = machine(first);

  // Labels of cases come from JSON and may be any text; this one is none.
  const own = Symbol("an admission whose freebie fails");

  function step(one: GateStep): GateOutcome {
    gate.moveOn(one.at);
    if (one.op === "request") return request(one);
    return one.op === "publish" ? publish(one) : end(one);
  }

  /** G7, row by row. */
  function request(one: GateRequestStep): GateRequestOutcome {
    const { config: live } = gate.state();
    const target = route(live, one, tools.matches);
    if (target === null) return { verdict: "unmatched" };
    const { service, rules } = target;
    const ids = rules.map(({ id }) => id);
    const network = networkOf(one.ip, service.client_prefix);
    const byToken = service.auth !== "off" && one.token !== undefined;
    const free = service.auth === "off" || service.price === 0;
    const most = typeof service.auth === "object" ? service.auth.freebie : 0;
    if (!byToken && !free && most === 0) return { verdict: "challenged" };
    if (!byToken && network === null)
      return {
        ...{ client: null, rules: ids, verdict: "denied", reason: "client" },
        ...{ denied_by: [], retry_after_ms: null, balances: shown([]) },
      };
    const client = byToken ? `token:${one.token}` : `ip:${network}`;
    const freebie = !byToken && !free ? gate.freebiesOf(service.name, client) : null;
    if (freebie !== null && freebie.count >= most) return { verdict: "challenged" };
    const fails = freebie !== null && one.freebie_fails === true;
    const held = one.hold === true ? one.as! : null;
    const label = held ?? (fails ? own : null);
    const { hold_ms } = live;
    const found = gate.admit({ at_ms: one.at, service, rules, client, label, hold_ms, freebie });
    if (!found.ok) {
      const { ok: _, balances, ...denied } = found;
      return { client, rules: ids, verdict: "denied", ...denied, balances: shown(balances) };
    }
    if (!fails) {
      if (freebie !== null) freebie.count += 1;
      return { client, rules: ids, verdict: "allowed", balances: shown(found.balances) };
    }
    const undone = gate.settle(label!, "cancelled", one.at);
    return {
      client,
      rules: ids,
      verdict: "error",
      balances: shown(balancesOf(undone)),
    };
  }

  function end(one: GateEndStep): GateEndOutcome {
    const found = gate.end(one.of, one.op === "commit" ? "committed" : "cancelled", one.at);
    return "balances" in found ? { ended: found.ended, balances: shown(found.balances) } : found;
  }

  function publish(one: GatePublishStep): GatePublishOutcome {
    const next = tools.accept(one.config);
    if (next === null) return { published: false, version: gate.state().version };
    gate.publish(next, one.at);
    return { published: true, version: gate.state().version };
  }

  return { step, state: gate.state };
}

/** All steps of a case in order, in the shape of the case files (G13). */
export function replayCase(config: unknown, steps: GateStep[], tools: ReplayTools): GateCaseResult {
  const played = replay(config, tools);
  const expected = steps.map((step) => played.step(step));
  const { ledger, evictions } = played.state();
  return { expected, ledger: { ...ledger }, evictions: { ...evictions } };
}
