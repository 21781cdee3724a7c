import type {
  GateBalances,
  GateCaseResult,
  GateOutcome,
  GateRequestOutcome,
  GateRequestStep,
  GateStep,
} from "../../contract/gate-case.ts";
import type { Level } from "./bucket.ts";
import { shownClient } from "./client.ts";
import type { GateDecision } from "./decision.ts";
import { MemoryFreebies } from "./freebies.ts";
import { Gate } from "./gate.ts";
import { MemoryStore } from "./memory-store.ts";
import { stageConfig } from "./update.ts";

/** Freebies of which a step can make the next count fail (G13). */
class FailingFreebies extends MemoryFreebies {
  fails = false;
  override count(...args: Parameters<MemoryFreebies["count"]>): boolean {
    if (this.fails) throw new Error("the freebie was not counted");
    return super.count(...args);
  }
}

/** Without a prototype: a rule may be named `__proto__`. */
function balancesOf(levels: readonly Level[]): GateBalances {
  const balances: GateBalances = Object.create(null);
  for (const { rule, balance } of levels) balances[rule.id] = balance;
  return balances;
}

const ids = (rules: readonly { id: string }[]): string[] => rules.map(({ id }) => id);

/** A decision in the shape of the case files (G13). */
export function requestOutcome(decision: GateDecision): GateRequestOutcome {
  const { verdict, reason, client, retry_after_ms } = decision;
  if (verdict === "unmatched" || verdict === "challenged") return { verdict };
  const shown = client === null ? null : shownClient(client);
  const rules = ids(decision.rules);
  const balances = balancesOf(decision.levels);
  if (verdict !== "denied") return { client: shown!, rules, verdict, balances };
  return {
    client: shown,
    rules,
    verdict,
    reason: reason!,
    denied_by: ids(decision.lacking),
    retry_after_ms,
    balances,
  };
}

export interface MemoryPlay {
  step(step: GateStep): GateOutcome;
  state(): Omit<GateCaseResult, "expected">;
  readonly store: MemoryStore;
}

/** A gate in memory that plays steps of a case. Throws where the configuration is refused (G1). */
export function playInMemory(config: unknown): MemoryPlay {
  const staged = stageConfig(config);
  if (!staged.ok)
    throw new Error(staged.problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  const store = new MemoryStore(staged.value.snapshot);
  const freebies = new FailingFreebies();
  const gate = new Gate(staged.value, store, freebies);

  function request(step: GateRequestStep): GateRequestOutcome {
    freebies.fails = step.freebie_fails === true;
    const { path, host = "", ip: peer, token = null, at } = step;
    const hold = step.hold === true ? step.as! : null;
    return requestOutcome(gate.decide({ host, path, peer, token, hold }, at));
  }

  function step(one: GateStep): GateOutcome {
    store.moveOn(one.at);
    if (one.op === "request") return request(one);
    if (one.op === "publish") {
      const { published, version } = gate.update(one.config, one.at);
      return { published, version };
    }
    const ended = gate.end(one.of, one.op === "commit" ? "committed" : "cancelled", one.at);
    return "levels" in ended ? { ended: ended.ended, balances: balancesOf(ended.levels) } : ended;
  }

  return { step, state: () => store.state(), store };
}

/** Plays a case on the memory store, in exactly the shape of the case files (G13). */
export function playCaseInMemory(one: { config: unknown; steps: GateStep[] }): GateCaseResult {
  const play = playInMemory(one.config);
  const expected = one.steps.map((step) => play.step(step));
  return { expected, ...play.state() };
}
