import { randomUUID } from "node:crypto";
import type { GateEnd, GateReason } from "../../contract/gate-case.ts";
import type { GateConfig } from "../../contract/gate-config.ts";
import type { InputProblem, InputResult } from "../../contract/input.ts";
import type { Level } from "./bucket.ts";
import { type ClientKey, forwardedAddress } from "./client.ts";
import { type FreebieStore, MemoryFreebies } from "./freebies.ts";
import { KeyedOrder } from "./keyed-order.ts";
import { MemoryStore } from "./memory-store.ts";
import { compileSnapshot, type Rule, type Service, type Snapshot } from "./snapshot.ts";
import type { Admit, Answer, Demand, Ended, Store } from "./store.ts";

/** A request as the gate sees it. */
export interface GateRequest {
  /** The host as it came, with or without port; empty where there is none. */
  readonly host: string;
  /** The path as it came, query included. */
  readonly path: string;
  /** Address of the peer. */
  readonly peer: string;
  /** `X-Forwarded-For` as it came; read only where the peer is a trusted proxy (G3). */
  readonly forwardedFor?: string | undefined;
  /** Id of a credential that was **validated**; null: none, or an invalid one (G3, G7). */
  readonly token: string | null;
  /** Id under which the admission is to stay provisional; null: it is committed at once (G4). */
  readonly hold: string | null;
}

/** What the gate decided. */
export interface GateDecision {
  readonly verdict: "allowed" | "denied" | "challenged" | "error" | "unmatched";
  /** Version of the snapshot that the request started with (G8). */
  readonly version: number;
  /** Null: unmatched. */
  readonly service: Service | null;
  /** In normal form (G2); empty where unmatched. */
  readonly path: string;
  /** The rules that match, in order. */
  readonly rules: readonly Rule[];
  /** Null where unmatched or challenged, or where the peer is no address. */
  readonly client: ClientKey | null;
  /** Why it was denied; null: it was not. */
  readonly reason: GateReason | null;
  readonly lacking: readonly Rule[];
  /** Whole milliseconds; null: no finite wait. */
  readonly retry_after_ms: number | null;
  /** Of the rules that have a bucket, after the decision. */
  readonly levels: readonly Level[];
}

/** A configuration that was validated and compiled, beside the live one (G8). */
export interface Staged {
  readonly config: GateConfig;
  readonly snapshot: Snapshot;
}

/** What an update came to (G8): `version` is the one now live. */
export type Published =
  | { readonly published: true; readonly version: number; readonly config: GateConfig }
  | { readonly published: false; readonly version: number; readonly problems: InputProblem[] };

/** How an end came out (G4). */
export type GateEnded =
  | { readonly ended: "committed" | "cancelled"; readonly levels: readonly Level[] }
  | { readonly ended: "already"; readonly was: GateEnd }
  | { readonly ended: "unknown" };

interface Live {
  readonly version: number;
  readonly snapshot: Snapshot;
}

/** A request whose row of G7 is known: what remains is the freebie, the tokens and the room. */
interface Plan {
  readonly live: Live;
  readonly service: Service;
  readonly path: string;
  readonly rules: readonly Rule[];
  readonly client: ClientKey;
  /** Most free requests where this one would be free (G7); 0: none is counted. */
  readonly freebies: number;
}

type Clock = () => number;
type Steps<T> = Generator<Answer<unknown>, T, unknown>;

function* settled<T>(answer: Answer<T>): Generator<Answer<unknown>, T, unknown> {
  return (answer instanceof Promise ? yield answer : answer) as T;
}

/** Runs steps none of which waits. */
function runNow<T>(steps: Steps<T>): T {
  const { done, value } = steps.next();
  if (done !== true) throw new Error("a store answers later: use decideInOrder and endLater");
  return value;
}

async function runLater<T>(steps: Steps<T>): Promise<T> {
  let turn = steps.next();
  while (turn.done !== true) {
    try {
      turn = steps.next(await turn.value);
    } catch (error) {
      turn = steps.throw(error);
    }
  }
  return turn.value;
}

const NONE: readonly Rule[] = [];
const NOTHING = { client: null, reason: null, lacking: [], retry_after_ms: null, levels: [] } as const;

/** The live limiter: decides requests, ends admissions, goes over to new configurations. Time is always an argument. */
export class Gate {
  #live: Live;
  readonly #store: Store<boolean>;
  readonly #freebies: FreebieStore;
  readonly #order = new KeyedOrder();
  readonly updates = { published: 0, refused: 0 };

  /** `store` must have been made for the same snapshot. */
  constructor(
    staged: Staged,
    store: Store<boolean> = new MemoryStore(staged.snapshot),
    freebies: FreebieStore = new MemoryFreebies(),
  ) {
    this.#live = { version: 1, snapshot: staged.snapshot };
    this.#store = store;
    this.#freebies = freebies;
  }

  get version(): number {
    return this.#live.version;
  }

  get config(): GateConfig {
    return this.#live.snapshot.config;
  }

  /** Clients that something waits for (G5). */
  get busyClients(): number {
    return this.#order.size;
  }

  /** Decides at once; for stores that answer at once (G2–G7). Throws where one of them does not. */
  decide(request: GateRequest, now_ms: number): GateDecision {
    const plan = this.#plan(request);
    if ("verdict" in plan) return plan;
    if (plan.freebies > 0) return runNow(this.#steps(plan, request.hold, () => now_ms));
    const admit = this.#store.admit(demandOf(plan, request.hold, now_ms));
    if (admit instanceof Promise) throw new Error("a store answers later: use decideInOrder");
    return decided(plan, admit);
  }

  /** Decides in the order of arrival for each client, also where a store answers later (G5). */
  async decideInOrder(request: GateRequest, clock: Clock): Promise<GateDecision> {
    const plan = this.#plan(request);
    if ("verdict" in plan) return plan;
    const work = () => runLater(this.#steps(plan, request.hold, clock));
    // Nothing to debit and nothing to count: no lock is made (G4).
    return plan.rules.length === 0 && plan.freebies === 0 ? work() : this.#order.run(plan.client, work);
  }

  /** The row of G7 that applies; a decision where no token is asked for. */
  #plan(request: GateRequest): Plan | GateDecision {
    const live = this.#live;
    const route = live.snapshot.routeOf(request.host, request.path);
    if (route === null)
      return { ...NOTHING, verdict: "unmatched", version: live.version, service: null, path: "", rules: [] };
    const { service, path, rules } = route;
    const { auth, price } = service.config;
    if (auth !== "off" && request.token !== null)
      return { live, service, path, rules, client: { kind: "token", value: request.token }, freebies: 0 };
    const freebies = auth === "off" || price === 0 ? 0 : auth === "on" ? null : auth.freebie;
    if (freebies === null)
      return { ...NOTHING, verdict: "challenged", version: live.version, service, path, rules };
    const client = clientOf(request, service, live.snapshot);
    if (client === null)
      return { ...NOTHING, verdict: "denied", reason: "client", version: live.version, service, path, rules };
    return { live, service, path, rules, client, freebies };
  }

  /** Freebie, tokens, freebie counted: every failure in between is undone (G7). */
  *#steps(plan: Plan, hold: string | null, clock: Clock): Steps<GateDecision> {
    const { service, client, freebies } = plan;
    if (freebies > 0) {
      const used = yield* this.#used(plan);
      if (used === null) return failed(plan, []);
      if (used >= freebies)
        return {
          ...NOTHING,
          verdict: "challenged",
          version: plan.live.version,
          service,
          path: plan.path,
          rules: plan.rules,
        };
    }
    // Until its freebie is counted, the admission is provisional under an id that nobody else knows.
    const id = hold ?? (freebies > 0 ? randomUUID() : null);
    const admit = yield* settled(this.#store.admit(demandOf(plan, id, clock())));
    if (!admit.ok || freebies === 0) return decided(plan, admit);
    try {
      yield* settled(this.#freebies.count(service.name, client));
    } catch {
      const undone = yield* settled(this.#store.end(id!, "cancelled", clock(), hold === null));
      return failed(plan, undone.ended === "cancelled" ? undone.levels : []);
    }
    if (hold === null) yield* settled(this.#store.end(id!, "committed", clock(), true));
    return decided(plan, admit);
  }

  /** Free requests so far; null where the store cannot be read. */
  *#used({ service, client }: Plan): Steps<number | null> {
    try {
      return yield* settled(this.#freebies.read(service.name, client));
    } catch {
      return null;
    }
  }

  /** Ends a held admission once (G4). Throws where a store answers later, or where the freebie could not be given back. */
  end(id: string, how: "committed" | "cancelled", now_ms: number): GateEnded {
    return runNow(this.#ending(id, how, now_ms));
  }

  /** As `end`, for stores that answer later. */
  async endLater(id: string, how: "committed" | "cancelled", now_ms: number): Promise<GateEnded> {
    return runLater(this.#ending(id, how, now_ms));
  }

  *#ending(id: string, how: "committed" | "cancelled", now_ms: number): Steps<GateEnded> {
    const ended: Ended = yield* settled(this.#store.end(id, how, now_ms));
    if (ended.ended === "already" || ended.ended === "unknown") return ended;
    const { freebie, levels } = ended;
    if (freebie !== null) yield* settled(this.#freebies.giveBack(freebie.service, freebie.client));
    return { ended: ended.ended, levels };
  }

  /** Validates, copies and compiles a configuration beside the live one; nothing else changes (G8). */
  stage(value: unknown, file = "config"): InputResult<Staged> {
    const staged = stageConfig(value, file);
    if (!staged.ok) this.updates.refused += 1;
    return staged;
  }

  /** Goes over to a staged configuration in one step; refused where `from` is no longer the live version (G8). */
  publish(staged: Staged, now_ms: number, from = this.version): Published {
    if (from !== this.version) {
      this.updates.refused += 1;
      const message = `version ${from} is no longer live; expected ${this.version}`;
      return { published: false, version: this.version, problems: [{ file: "config", path: "", message }] };
    }
    const answer = this.#store.publish(staged.snapshot, now_ms);
    if (answer instanceof Promise) throw new Error("a store answers later: publish is for stores in memory");
    this.#live = { version: this.version + 1, snapshot: staged.snapshot };
    this.updates.published += 1;
    return { published: true, version: this.version, config: staged.config };
  }

  /** Stages and publishes in one call (G8). */
  update(value: unknown, now_ms: number, from = this.version): Published {
    const staged = this.stage(value);
    if (staged.ok) return this.publish(staged.value, now_ms, from);
    return { published: false, version: this.version, problems: staged.problems };
  }
}

/** A configuration ready for a gate, or every problem with its path (G1). */
export function stageConfig(value: unknown, file = "config"): InputResult<Staged> {
  const compiled = compileSnapshot(value, file);
  return compiled.ok
    ? { ok: true, value: { config: compiled.value.config, snapshot: compiled.value } }
    : compiled;
}

function clientOf(
  { peer, forwardedFor }: GateRequest,
  service: Service,
  { trusted }: Snapshot,
): ClientKey | null {
  if (forwardedFor === undefined || trusted.length === 0) return service.clientAt(peer);
  const address = forwardedAddress(peer, forwardedFor, trusted);
  return address === null ? null : service.clientAt(address.toString());
}

function demandOf(
  { live, service, rules, client, freebies }: Plan,
  hold: string | null,
  now_ms: number,
): Demand {
  const { hold_ms } = live.snapshot.config;
  return { service, rules, client, now_ms, hold, hold_ms, freebie: freebies > 0 };
}

function decided(plan: Plan, admit: Admit): GateDecision {
  // Written out, since this is made for every request: copying objects field by field would be the larger part of it.
  return {
    verdict: admit.ok ? "allowed" : "denied",
    version: plan.live.version,
    service: plan.service,
    path: plan.path,
    rules: plan.rules,
    client: plan.client,
    reason: admit.ok ? null : admit.reason,
    lacking: admit.ok ? NONE : admit.lacking,
    retry_after_ms: admit.ok ? null : admit.retry_after_ms,
    levels: admit.levels,
  };
}

function failed({ live, service, path, rules, client }: Plan, levels: readonly Level[]): GateDecision {
  return { ...NOTHING, verdict: "error", version: live.version, service, path, rules, client, levels };
}
