import { type Admission, Admissions } from "./admissions.ts";
import { type Bucket, type Level, levelOf } from "./bucket.ts";
import type { ClientKey } from "./client.ts";
import { sumOf, Tally } from "./ledger.ts";
import { isRefusal, ServiceBuckets } from "./service-buckets.ts";
import type { Rule, Service, Snapshot } from "./snapshot.ts";
import type { StatedAdmission, Statement } from "./stated.ts";
import type { Admit, Demand, Ended, Publishing, Store, StoreState } from "./store.ts";

/** A service of the live snapshot with its buckets. */
interface Living {
  service: Service;
  buckets: ServiceBuckets;
  readonly tally: Tally;
}

/** Buckets and admissions of one process. Every call is given the time, and first lets time do its part (G4). */
export class MemoryStore implements Store<false> {
  readonly #Buckets: typeof ServiceBuckets;
  #live = new Map<string, Living>();
  /** The same by their place in the snapshot. */
  #places: Living[];
  /** By service name, those of services long gone included: counters never go back. */
  readonly #tallies = new Map<string, Tally>();
  readonly #admissions = new Admissions();

  /** `Buckets`: the kind of buckets; known faults bring their own. */
  constructor(snapshot: Snapshot, Buckets = ServiceBuckets) {
    this.#Buckets = Buckets;
    for (const service of snapshot.services) this.#open(service);
    this.#places = [...this.#live.values()];
  }

  #open(service: Service): void {
    const tally = this.#tallyOf(service.name);
    this.#live.set(service.name, { service, buckets: new this.#Buckets(service, tally), tally });
  }

  #tallyOf(name: string): Tally {
    let tally = this.#tallies.get(name);
    if (tally === undefined) {
      tally = new Tally();
      this.#tallies.set(name, tally);
    }
    return tally;
  }

  admit(demand: Demand): Admit {
    this.moveOn(demand.now_ms);
    const { client, now_ms, hold } = demand;
    if (hold !== null && this.#admissions.find(hold) !== undefined)
      throw new Error(`the admission id is in use: ${hold}`);
    // A request of the live snapshot, as nearly all are, finds its service by its place.
    const placed = this.#places[demand.service.index];
    const isNow = placed?.service === demand.service;
    const live = isNow ? placed : this.#live.get(demand.service.name);
    const rules = isNow ? demand.rules : this.#livingRules(demand, live);
    if (live === undefined || rules.length === 0) {
      this.#keep(demand, rules, []);
      return { ok: true, levels: [], unchecked: false };
    }
    const taking = live.buckets.take(rules, client, now_ms);
    if (isRefusal(taking)) {
      const { reason, lacking, retry_after_ms } = taking;
      const levels = this.#levels(live.buckets, rules, client, now_ms);
      return { ok: false, reason, lacking, retry_after_ms, levels };
    }
    if (hold === null) live.tally.commit();
    else {
      live.tally.reserve();
      live.buckets.hold(taking);
      this.#keep(demand, rules, taking);
    }
    const levels = new Array<Level>(taking.length);
    for (let place = 0; place < taking.length; place += 1) levels[place] = levelOf(taking[place]!, now_ms);
    return { ok: true, levels, unchecked: false };
  }

  /**
   * A request that began under an earlier snapshot keeps its service and rules; their buckets live on under the rules
   * of now, and rules that are gone have none (G8).
   */
  #livingRules({ rules }: Demand, live: Living | undefined): Rule[] {
    return rules.flatMap(({ id }) => live?.service.rules.find((rule) => rule.id === id) ?? []);
  }

  #keep(
    { hold, service, client, freebie, hold_ms, now_ms }: Demand,
    rules: readonly Rule[],
    buckets: Bucket[],
  ): void {
    // An admission that holds neither token nor freebie reserves nothing, and there is nothing to end (G4).
    if (hold === null || (buckets.length === 0 && !freebie)) return;
    this.#admissions.hold({ id: hold, service, rules, client, buckets, freebie, hold_ms }, now_ms);
  }

  #levels(buckets: ServiceBuckets, rules: readonly Rule[], client: ClientKey, now_ms: number): Level[] {
    const own = buckets.find(client)?.buckets;
    if (own === undefined) return [];
    const levels: Level[] = [];
    for (const { index } of rules) {
      const bucket = own[index];
      if (bucket !== undefined) levels.push(levelOf(bucket, now_ms));
    }
    return levels;
  }

  end(id: string, how: "committed" | "cancelled", now_ms: number, forget = false): Ended {
    this.moveOn(now_ms);
    const admission = this.#admissions.find(id);
    if (admission === undefined) return { ended: "unknown" };
    if (admission.was !== null) return { ended: "already", was: admission.was };
    // To buckets that live on; in a service or a rule that is gone it gives nothing (G8).
    if (how === "cancelled")
      this.#live.get(admission.service.name)?.buckets.giveBack(admission.buckets, now_ms);
    this.#close(admission, how, now_ms);
    if (forget) this.#admissions.forget(admission);
    const { service, client } = admission;
    const freebie = how === "cancelled" && admission.freebie ? { service: service.name, client } : null;
    return { ended: how, levels: this.#levelsNow(admission, now_ms), freebie };
  }

  #levelsNow({ service, rules, client }: Admission, now_ms: number): Level[] {
    const live = this.#live.get(service.name);
    if (live === undefined) return [];
    const ids = new Set(rules.map(({ id }) => id));
    const living = live.service.rules.filter(({ id }) => ids.has(id));
    return this.#levels(live.buckets, living, client, now_ms);
  }

  #close(admission: Admission, was: "committed" | "cancelled" | "expired", at_ms: number): void {
    this.#admissions.end(admission, was, at_ms);
    if (admission.buckets.length === 0) return;
    this.#tallyOf(admission.service.name).end(was);
    const live = this.#live.get(admission.service.name);
    if (live !== undefined) live.buckets.release(admission.buckets, at_ms);
  }

  /** Lets time come to `now_ms`: what is due expires at its own time, what ended long ago is forgotten (G4). */
  moveOn(now_ms: number): void {
    this.#admissions.moveOn(now_ms, this.#expire);
  }

  /** Made once: time moves on with every request. */
  readonly #expire = (admission: Admission, at_ms: number): void => this.#close(admission, "expired", at_ms);

  publish(snapshot: Snapshot, now_ms: number, from: number): Publishing {
    this.moveOn(now_ms);
    const before = this.#live;
    this.#live = new Map();
    for (const service of snapshot.services) {
      const known = before.get(service.name);
      if (known === undefined) this.#open(service);
      else {
        known.buckets.publish(service, now_ms);
        this.#live.set(service.name, { ...known, service });
        before.delete(service.name);
      }
    }
    for (const { buckets } of before.values()) buckets.close();
    this.#places = [...this.#live.values()];
    return { published: true, version: from + 1 };
  }

  /** The buckets of a live service: for what replaces a part of the store. */
  protected bucketsOf(service: string): ServiceBuckets | undefined {
    return this.#live.get(service)?.buckets;
  }

  /** Buckets of a service (G10). */
  sizeOf(service: string): number {
    return this.#live.get(service)?.buckets.size ?? 0;
  }

  /** Admissions that have not ended, and ended ones that are remembered. */
  get remembered(): number {
    return this.#admissions.size;
  }

  /** The buckets of each live service as they are kept (G11), in their order. */
  statedBuckets(): Statement["buckets"] {
    return this.#places.map(({ service, buckets }) => ({ service: service.name, buckets: buckets.stated() }));
  }

  /** The admissions that an id still stands for, in the order in which they began (G11). */
  statedAdmissions(): StatedAdmission[] {
    return this.#admissions.stated();
  }

  /** Ids of admissions that have not ended, for a shutdown that ends every one. */
  outstanding(): string[] {
    return this.#admissions.outstanding().map(({ id }) => id);
  }

  /** Counts of one service since the start, those of services that are gone included (G10). */
  stateOf(service: string): StoreState {
    return sumOf([this.#tallyOf(service)]);
  }

  /** Ledger and evictions of all services together (G4, G6). */
  state(): StoreState {
    return sumOf(this.#tallies.values());
  }
}
