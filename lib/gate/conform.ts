import type {
  GateBalances,
  GateCaseResult,
  GateEvictions,
  GateLedger,
  GateOutcome,
  GateRequestOutcome,
  GateStep,
} from "../../contract/gate-case.ts";
import type { Level } from "./bucket.ts";
import { shownClient } from "./client.ts";
import type { GateDecision } from "./decision.ts";
import type { FreebieStore } from "./freebies.ts";
import type { Gate, GateEnded } from "./gate.ts";
import { type Steps, settled } from "./steps.ts";
import type { Answer } from "./store.ts";
import { type Published, type Staged, stageConfig } from "./update.ts";

/** Freebies of which a step can make the next count fail (G13). */
export class FailingFreebies implements FreebieStore {
  readonly #inner: FreebieStore;
  fails = false;

  constructor(inner: FreebieStore) {
    this.#inner = inner;
  }

  read(...args: Parameters<FreebieStore["read"]>): Answer<number> {
    return this.#inner.read(...args);
  }

  count(...args: Parameters<FreebieStore["count"]>): Answer<boolean> {
    if (this.fails) throw new Error("the freebie was not counted");
    return this.#inner.count(...args);
  }

  giveBack(...args: Parameters<FreebieStore["giveBack"]>): Answer<void> {
    return this.#inner.giveBack(...args);
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

/** A configuration that a case starts with. Throws where it is refused (G1). */
export function stagedCase(config: unknown): Staged {
  const staged = stageConfig(config);
  if (staged.ok) return staged.value;
  throw new Error(staged.problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
}

/** The doors of a gate that a case goes through, on whatever store: each answers at once or later. */
export interface PlayedGate {
  readonly freebies: FailingFreebies;
  decide(request: Parameters<Gate["decide"]>[0], at_ms: number): Answer<GateDecision>;
  end(id: string, how: "committed" | "cancelled", at_ms: number): Answer<GateEnded>;
  update(config: unknown, at_ms: number): Answer<Published>;
  moveOn(at_ms: number): Answer<unknown>;
  state(at_ms: number): Answer<{ ledger: GateLedger; evictions: GateEvictions }>;
}

/** Plays one step of a case (G13). */
export function* playStep(gate: PlayedGate, step: GateStep): Steps<GateOutcome> {
  yield* settled(gate.moveOn(step.at));
  if (step.op === "request") {
    gate.freebies.fails = step.freebie_fails === true;
    const { path, host = "", ip: peer, token = null, at } = step;
    const hold = step.hold === true ? step.as! : null;
    return requestOutcome(yield* settled(gate.decide({ host, path, peer, token, hold }, at)));
  }
  if (step.op === "publish") {
    const { published, version } = yield* settled(gate.update(step.config, step.at));
    return { published, version };
  }
  const how = step.op === "commit" ? "committed" : "cancelled";
  const ended = yield* settled(gate.end(step.of, how, step.at));
  return "levels" in ended ? { ended: ended.ended, balances: balancesOf(ended.levels) } : ended;
}

/** Plays all steps in order, in exactly the shape of the case files (G13). */
export function* playSteps(gate: PlayedGate, steps: readonly GateStep[]): Steps<GateCaseResult> {
  const expected: GateOutcome[] = [];
  for (const step of steps) expected.push(yield* playStep(gate, step));
  const { ledger, evictions } = yield* settled(gate.state(steps.at(-1)?.at ?? 0));
  return { expected, ledger, evictions };
}
