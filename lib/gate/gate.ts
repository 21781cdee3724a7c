import { randomUUID } from "node:crypto";
import type { GateConfig } from "../../contract/gate-config.ts";
import type { GateEnd } from "../../contract/gate-reasons.ts";
import type { InputResult } from "../../contract/input.ts";
import type { Level } from "./bucket.ts";
import type { GateDecision, GateRequest } from "./decision.ts";
import type { DecisionSink, FreebieFate, Moment } from "./decision-sink.ts";
import { type FreebieStore, MemoryFreebies } from "./freebies.ts";
import { KeyedOrder } from "./keyed-order.ts";
import { MemoryStore } from "./memory-store.ts";
import { challenged, decided, failed, type Live, type Plan, planOf } from "./plan.ts";
import type { Snapshot } from "./snapshot.ts";
import { runLater, runNow, type Steps, settled } from "./steps.ts";
import type { Ended, Placed, Publishing, Store } from "./store.ts";
import { placedAt, Teller } from "./teller.ts";
import { failure, outdated, type Published, type Refusal, type Staged, stageConfig } from "./update.ts";

/** How an end came out (G4). */
export type GateEnded =
  | { readonly ended: "committed" | "cancelled"; readonly levels: readonly Level[] }
  | { readonly ended: "already"; readonly was: GateEnd }
  | { readonly ended: "unknown" };

/** Where a shared store was asked about a freebie; filled in as it is. */
interface FreebiePlaces {
  freebie_read?: string;
  freebie_counted?: string;
}

/**
 * What a request starts with, and keeps (G8): the snapshot that was live when it came, and the number of the last thing
 * done then.
 */
export interface Start {
  readonly live: Live;
  readonly seq: number;
}

/** When a request came, and when its buckets were looked at. */
interface Began {
  readonly began_seq: number;
  readonly moment: Moment;
  readonly places: FreebiePlaces;
}

const NOWHERE: FreebiePlaces = {};
const UNTOLD: Began = { began_seq: 0, moment: { seq: 0, time_ms: 0 }, places: NOWHERE };

type Clock = () => number;

/** An update that did not go live, for who asks what became of it; of its configuration nothing is kept. */
type RefusedUpdate = Omit<Refusal, "config"> & { readonly number: number; readonly time_ms: number };
const REFUSALS_KEPT = 10;

/** The live limiter: decides requests, ends admissions, goes over to new configurations. Time is always an argument. */
export class Gate {
  #live: Live;
  readonly #store: Store<boolean>;
  readonly #freebies: FreebieStore;
  readonly #order = new KeyedOrder();
  readonly #teller: Teller;
  readonly updates = { published: 0, refused: 0 };
  #refusals: readonly RefusedUpdate[] = [];

  /**
   * `store` must have been made for the same snapshot, which it knows as `version` (1, where it is the first). `sink` is
   * told everything that is decided (G11).
   */
  constructor(
    staged: Staged,
    store: Store<boolean> = new MemoryStore(staged.snapshot),
    freebies: FreebieStore = new MemoryFreebies(),
    version = 1,
    sink: DecisionSink | null = null,
  ) {
    this.#live = { version, snapshot: staged.snapshot };
    this.#store = store;
    this.#freebies = freebies;
    this.#teller = new Teller(sink);
    store.observe?.({
      founded: (founded) => this.#teller.founded(founded),
      counted: (counted) => this.#teller.tally(counted),
    });
    this.#teller.publish(this.#live, 0);
  }

  get version(): number {
    return this.#live.version;
  }

  /** The live one: for what surrounds a decision, such as whose headers are believed. */
  get snapshot(): Snapshot {
    return this.#live.snapshot;
  }

  /** Number of the last thing that was done to the store, or to the snapshots (G11). */
  get seq(): number {
    return this.#teller.seq;
  }

  get config(): GateConfig {
    return this.#live.snapshot.config;
  }

  /** The latest updates that did not go live, newest first. */
  get refusals(): readonly RefusedUpdate[] {
    return this.#refusals;
  }

  /** Clients that something waits for (G5). */
  get busyClients(): number {
    return this.#order.size;
  }

  /** For a request that comes now, and is decided later: its credential may have to be waited for. */
  start(): Start {
    return { live: this.#live, seq: this.#teller.seq };
  }

  /**
   * Decides at once; for stores that answer at once (G2–G7). Throws where one of them does not.
   * @param start absent: the request comes now
   */
  decide(request: GateRequest, now_ms: number, start?: Start): GateDecision {
    const live = start?.live ?? this.#live;
    const plan = planOf(live, request, now_ms);
    if ("verdict" in plan) return this.#told(plan, request, live, this.#now(now_ms, start));
    const began_seq = start?.seq ?? this.#teller.seq;
    if (plan.freebies > 0) return runNow(this.#steps(plan, request, began_seq, () => now_ms));
    const admit = this.#store.admit(plan);
    if (admit instanceof Promise) throw new Error("a store answers later: use decideInOrder");
    return this.#told(decided(plan, admit), request, live, this.#now(now_ms, start));
  }

  /** Decides in the order of arrival for each client, also where a store answers later (G5). */
  async decideInOrder(request: GateRequest, clock: Clock, start = this.start()): Promise<GateDecision> {
    const came_ms = clock();
    const { live, seq: began_seq } = start;
    const plan = planOf(live, request, came_ms);
    if ("verdict" in plan) return this.#told(plan, request, live, this.#now(came_ms, start));
    const work = () => runLater(this.#steps(plan, request, began_seq, clock));
    // Nothing to debit and nothing to count: no lock is made (G4).
    return plan.rules.length === 0 && plan.freebies === 0 ? work() : this.#order.run(plan.client, work);
  }

  /** A decision that looked at the buckets just now. */
  #now(now_ms: number, start: Start | undefined): Began {
    if (!this.#teller.isListening) return UNTOLD;
    return { began_seq: start?.seq ?? this.#teller.seq, moment: this.#teller.next(now_ms), places: NOWHERE };
  }

  #told(
    decision: GateDecision,
    request: GateRequest,
    { snapshot }: Live,
    { began_seq, moment, places }: Began,
    freebie: FreebieFate = "none",
    freebies_used: number | null = null,
    settled: Moment | null = null,
  ): GateDecision {
    if (this.#teller.isListening) {
      const how = { ...moment, ...places, began_seq, freebie, freebies_used, settled };
      this.#teller.decision(decision, request, snapshot, how);
    }
    return decision;
  }

  /** Freebie, tokens, freebie counted: every failure in between is undone (G7). */
  *#steps(plan: Plan, request: GateRequest, began_seq: number, clock: Clock): Steps<GateDecision> {
    const { live, freebies } = plan;
    const { hold } = request;
    const places: FreebiePlaces = {};
    const used = freebies > 0 ? yield* this.#used(plan, places) : null;
    const now_ms = clock();
    const came = () => ({ began_seq, moment: this.#teller.next(now_ms), places });
    if (freebies > 0) {
      if (used === null) return this.#told(failed(plan, []), request, live, came(), "unread");
      if (used >= freebies) return this.#told(challenged(plan), request, live, came(), "exhausted", used);
    }
    // Until its freebie is counted, the admission is provisional under an id that nobody else knows.
    const id = hold ?? (freebies > 0 ? randomUUID() : null);
    const answer = this.#store.admit({ ...plan, hold: id, now_ms });
    // Numbered when the store was asked, and not at all where it threw.
    const asked = came();
    const admit = yield* settled(answer);
    const began = { ...asked, moment: placedAt(asked.moment, admit) };
    const decision = decided(plan, admit);
    if (freebies === 0) return this.#told(decision, request, live, began);
    if (!admit.ok) return this.#told(decision, request, live, began, "unspent", used);
    const fate = yield* this.#count(plan, places);
    if (fate === "counted") {
      const end = hold === null ? yield* this.#settle(id!, "committed", clock(), true) : null;
      return this.#told(decision, request, live, began, fate, used, end?.moment);
    }
    const { levels, moment } = yield* this.#settle(id!, "cancelled", clock(), hold === null);
    const undone = fate === "taken" ? challenged(plan) : failed(plan, levels);
    return this.#told(undone, request, live, began, fate, used, moment);
  }

  /** Free requests so far; null where the store cannot be read. */
  *#used({ service, client }: Plan, places: FreebiePlaces): Steps<number | null> {
    const onPlaced = (order: string) => {
      places.freebie_read = order;
    };
    try {
      return yield* settled(this.#freebies.read(service.name, client, onPlaced));
    } catch {
      return null;
    }
  }

  /** Counts the freebie, where that does not fail and no other process has taken the last one meanwhile. */
  *#count(
    { service, client, freebies }: Plan,
    places: FreebiePlaces,
  ): Steps<"counted" | "taken" | "uncounted"> {
    const onPlaced = (order: string) => {
      places.freebie_counted = order;
    };
    try {
      const counted = yield* settled(this.#freebies.count(service.name, client, freebies, onPlaced));
      return counted ? "counted" : "taken";
    } catch {
      return "uncounted";
    }
  }

  /**
   * Commits what nobody else can end, or cancels what could not be completed: its levels then, and when that was. Where
   * the store is gone meanwhile, it is committed when it expires (G4).
   */
  *#settle(
    id: string,
    how: "committed" | "cancelled",
    now_ms: number,
    forget: boolean,
  ): Steps<{ levels: readonly Level[]; moment: Moment | null }> {
    let moment: Moment | null = null;
    try {
      const answer = this.#store.end(id, how, now_ms, forget);
      moment = this.#teller.next(now_ms);
      const ended = yield* settled(answer);
      return { levels: ended.ended === how ? ended.levels : [], moment: placedAt(moment, ended) };
    } catch {
      return { levels: [], moment };
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
    const answer = this.#store.end(id, how, now_ms);
    const moment = this.#teller.next(now_ms);
    let ended: Ended | null = null;
    let returned: string | null = null;
    try {
      ended = yield* settled(answer);
      const freebie = "freebie" in ended ? ended.freebie : null;
      const onPlaced = (order: string) => {
        returned = order;
      };
      if (freebie !== null)
        yield* settled(this.#freebies.giveBack(freebie.service, freebie.client, onPlaced));
    } finally {
      // That there was no answer, or that the freebie was not taken back, is told too.
      this.#teller.end(moment, id, how, ended, returned);
    }
    if (ended.ended === "unknown") return { ended: ended.ended };
    if (ended.ended === "already") return { ended: ended.ended, was: ended.was };
    return { ended: ended.ended, levels: ended.levels };
  }

  /** Validates, copies and compiles a configuration beside the live one; nothing else changes (G8). */
  stage(value: unknown, now_ms: number, from: number | null = null): InputResult<Staged> {
    const staged = stageConfig(value);
    if (!staged.ok) this.refuse({ why: "invalid", from, config: value, problems: staged.problems }, now_ms);
    return staged;
  }

  /** Counts and tells an update that does not go live; whoever keeps versions may have its own reasons (G8). */
  refuse(refusal: Refusal, now_ms: number): void {
    this.updates.refused += 1;
    const { config: _, ...told } = refusal;
    this.#refusals = [{ ...told, number: this.updates.refused, time_ms: now_ms }, ...this.#refusals].slice(
      0,
      REFUSALS_KEPT,
    );
    this.#teller.refuse(refusal, this.version, now_ms);
  }

  /** Goes over to a staged configuration in one step; refused where `from` is no longer the live version (G8). */
  publish(staged: Staged, now_ms: number, from = this.version): Published {
    return runNow(this.#publishing(staged, now_ms, from));
  }

  /** As `publish`, for stores that answer later: there, `from` must be live for all who share the store. */
  async publishLater(staged: Staged, now_ms: number, from = this.version): Promise<Published> {
    return runLater(this.#publishing(staged, now_ms, from));
  }

  *#publishing(staged: Staged, now_ms: number, from: number): Steps<Published> {
    const { config } = staged;
    const { published, version, ...placed } =
      from === this.version
        ? yield* this.#goLive(staged, now_ms, from)
        : { published: false, version: this.version };
    if (!published) {
      const refused = outdated(from, version);
      this.refuse({ why: "outdated", from, config, problems: refused.problems }, now_ms);
      return refused;
    }
    this.#goOver(staged, version, now_ms, placed);
    this.updates.published += 1;
    return { published, version, config: staged.config };
  }

  /** The store goes over; rejects where it cannot be reached, and whether it did is not known then. */
  *#goLive({ snapshot, config }: Staged, now_ms: number, from: number): Steps<Publishing> {
    try {
      return yield* settled(this.#store.publish(snapshot, now_ms, from));
    } catch (error) {
      this.refuse({ why: "failed", from, config, problems: [failure(error)] }, now_ms);
      throw error;
    }
  }

  /** Goes over to a snapshot that went live elsewhere: another process published it on the store they share (G12). */
  follow(staged: Staged, version: number): void {
    this.#goOver(staged, version, 0);
  }

  #goOver({ snapshot }: Staged, version: number, now_ms: number, placed: Placed = {}): void {
    if (version > this.version) {
      this.#live = { version, snapshot };
      this.#teller.publish(this.#live, now_ms, placed);
    } else if (placed.order !== undefined)
      // This process has heard of a newer one before the answer to its own came: the shared store had it live in between.
      this.#teller.founded({ snapshot, version, time_ms: now_ms, order: placed.order });
  }

  /** Stages and publishes in one call (G8). */
  update(value: unknown, now_ms: number, from = this.version): Published {
    const staged = this.stage(value, now_ms, from);
    return staged.ok
      ? this.publish(staged.value, now_ms, from)
      : { published: false, version: this.version, problems: staged.problems };
  }

  /** As `update`, for stores that answer later. */
  async updateLater(value: unknown, now_ms: number, from = this.version): Promise<Published> {
    const staged = this.stage(value, now_ms, from);
    return staged.ok
      ? this.publishLater(staged.value, now_ms, from)
      : { published: false, version: this.version, problems: staged.problems };
  }
}
