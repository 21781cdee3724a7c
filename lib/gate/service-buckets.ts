import {
  type Bucket,
  ClientBuckets,
  debit,
  giveBack,
  handOver,
  lacksToken,
  openBucket,
  refill,
  waitOf,
} from "./bucket.ts";
import { type ClientKey, KnownClient } from "./client.ts";
import type { Tally } from "./ledger.ts";
import { Room } from "./room.ts";
import type { Rule, Service } from "./snapshot.ts";
import type { StatedBucket } from "./stated.ts";

/** Why no token was taken (G4, G6). */
export interface Refusal {
  readonly reason: "rate" | "capacity";
  readonly lacking: Rule[];
  readonly retry_after_ms: number | null;
}

/** What taking a token from each rule's bucket came to: the buckets that were debited, or why none was. */
export type Taking = Bucket[] | Refusal;

export const isRefusal = (taking: Taking): taking is Refusal => !Array.isArray(taking);

const CAPACITY: Refusal = { reason: "capacity", lacking: [], retry_after_ms: null };

/** The buckets of one service, never more than its bound (G6) but for held ones after the bound was lowered (G8). */
export class ServiceBuckets {
  #service: Service;
  readonly #tally: Tally;
  readonly #room = new Room();
  /** By kind, so that a credential never meets a network (G3). */
  readonly #clients = { token: new Map<string, ClientBuckets>(), ip: new Map<string, ClientBuckets>() };
  #size = 0;
  #requests = 0;

  constructor(service: Service, tally: Tally) {
    this.#service = service;
    this.#tally = tally;
  }

  get size(): number {
    return this.#size;
  }

  find(client: ClientKey): ClientBuckets | undefined {
    const kept = KnownClient.keptWith(client) as ClientBuckets | null;
    if (kept !== null && kept.owner === this && kept.count > 0) return kept;
    const found = this.#clients[client.kind].get(client.value);
    if (found !== undefined) KnownClient.keep(client, found);
    return found;
  }

  /** Refills the buckets of the matching rules and debits all of them, or none (G4). `rules` are of this service, not empty. */
  take(rules: readonly Rule[], client: ClientKey, now_ms: number): Taking {
    this.#requests += 1;
    const known = this.find(client);
    // A list of its length from the start: one that grows is made larger than it will ever be.
    const own = new Array<Bucket | undefined>(rules.length);
    const present = known === undefined ? 0 : this.#refill(known, rules, own, now_ms);
    if (present < 0) return this.#lacking(known!, rules);
    const missing = rules.length - present;
    if (missing > 0 && !this.#makeRoom(missing, now_ms)) return CAPACITY;
    for (const bucket of own) if (bucket !== undefined) debit(bucket);
    if (missing > 0) this.#openMissing(rules, client, known, own, now_ms);
    return own as Bucket[];
  }

  /** Refills and marks what the client has of these rules, and lists it; how many there are, or -1 where one lacks a token. */
  #refill(
    client: ClientBuckets,
    rules: readonly Rule[],
    own: (Bucket | undefined)[],
    now_ms: number,
  ): number {
    const { buckets } = client;
    let present = 0;
    let lacking = false;
    for (let place = 0; place < rules.length; place += 1) {
      const bucket = buckets[rules[place]!.index];
      own[place] = bucket;
      if (bucket === undefined) continue;
      refill(bucket, now_ms);
      bucket.used = this.#requests;
      present += 1;
      if (lacksToken(bucket)) lacking = true;
    }
    return lacking ? -1 : present;
  }

  #lacking(client: ClientBuckets, rules: readonly Rule[]): Refusal {
    const lacking: Rule[] = [];
    let retry_after_ms = 0;
    for (const rule of rules) {
      const bucket = client.buckets[rule.index];
      if (bucket === undefined) continue;
      if (lacksToken(bucket)) {
        lacking.push(rule);
        retry_after_ms = Math.max(retry_after_ms, waitOf(bucket));
        // Any other one was refilled and is not debited: it may be full now.
      } else this.#room.fuller(bucket);
    }
    return { reason: "rate", lacking, retry_after_ms };
  }

  #openMissing(
    rules: readonly Rule[],
    client: ClientKey,
    known: ClientBuckets | undefined,
    own: (Bucket | undefined)[],
    now_ms: number,
  ): void {
    // Making room may have forgotten what this client had of other rules; an entry without buckets is dropped.
    const entry = known !== undefined && known.count > 0 ? known : this.#open(client);
    for (let place = 0; place < rules.length; place += 1)
      own[place] ??= this.#openBucket(entry, rules[place]!, now_ms);
  }

  #open(client: ClientKey): ClientBuckets {
    const entry = new ClientBuckets(this, client);
    this.#clients[client.kind].set(client.value, entry);
    return entry;
  }

  #openBucket(client: ClientBuckets, rule: Rule, now_ms: number): Bucket {
    const bucket = openBucket(rule, client, now_ms, this.#requests);
    debit(bucket);
    client.buckets[rule.index] = bucket;
    client.count += 1;
    this.#size += 1;
    this.#room.add(bucket);
    return bucket;
  }

  /** Room for `missing` buckets, or false, and then nothing is forgotten (G6). */
  #makeRoom(missing: number, now_ms: number): boolean {
    const { max_entries, on_pressure } = this.#service.config;
    const short = this.#size + missing - max_entries;
    if (short <= 0) return true;
    const victims = this.#room.victims(short, now_ms, this.#requests, on_pressure === "deny");
    if (victims === null) return false;
    for (const bucket of victims.full) this.#forget(bucket, "full");
    for (const bucket of victims.lossy) this.#forget(bucket, "lossy");
    return true;
  }

  #forget(bucket: Bucket, kind: "full" | "lossy"): void {
    this.#drop(bucket);
    this.#tally.evictions[kind] += 1;
  }

  #drop(bucket: Bucket): void {
    const { client, rule } = bucket;
    this.#room.remove(bucket);
    bucket.gone = true;
    client.buckets[rule.index] = undefined;
    client.count -= 1;
    this.#size -= 1;
    if (client.count === 0) this.#clients[client.kind].delete(client.value);
  }

  /** Pins buckets of a provisional admission (G6). */
  hold(buckets: Bucket[]): void {
    for (const bucket of buckets) bucket.held += 1;
  }

  /** A cancelled admission gives back exactly what it debited, never above the burst (G4). */
  giveBack(buckets: Bucket[], now_ms: number): void {
    for (const bucket of buckets) {
      refill(bucket, now_ms);
      giveBack(bucket);
    }
  }

  /** An admission has ended at a time: what it pinned may go again, and goes at once where it is above the bound (G8). */
  release(buckets: Bucket[], at_ms: number): void {
    for (const bucket of buckets) {
      bucket.held -= 1;
      if (!bucket.gone) this.#room.release(bucket);
    }
    this.#trim(at_ms);
  }

  #trim(at_ms: number): void {
    while (this.#size > this.#service.config.max_entries) {
      const victims = this.#room.victims(1, at_ms, -1, false);
      if (victims === null) return;
      for (const bucket of victims.full) this.#forget(bucket, "full");
      for (const bucket of victims.lossy) this.#forget(bucket, "lossy");
    }
  }

  *#buckets(): Generator<Bucket> {
    for (const clients of [this.#clients.token, this.#clients.ip])
      for (const { buckets } of clients.values())
        for (const bucket of buckets) if (bucket !== undefined) yield bucket;
  }

  /** Copies of all buckets as they are kept (G11). */
  stated(): StatedBucket[] {
    const stated: StatedBucket[] = [];
    for (const { rule, client, parts, wide, last_ms, used } of this.#buckets()) {
      const [num, den] = wide === null ? [parts, rule.per_ms] : [wide.num, wide.den];
      stated.push({ client, rule: rule.id, num, den, last_ms, used });
    }
    return stated;
  }

  /** Goes over to the service of a new snapshot (G8). */
  publish(service: Service, now_ms: number): void {
    const rules = new Map(service.rules.map((rule) => [rule.id, rule]));
    const all = [...this.#buckets()];
    for (const bucket of all) {
      const rule = rules.get(bucket.rule.id);
      if (rule === undefined) this.#drop(bucket);
      else handOver(bucket, rule, now_ms);
    }
    this.#service = service;
    this.#room.clear();
    const kept = all.filter(({ gone }) => !gone);
    for (const bucket of kept) bucket.client.buckets.length = 0;
    for (const bucket of kept) {
      bucket.client.buckets[bucket.rule.index] = bucket;
      this.#room.add(bucket);
    }
    this.#trim(now_ms);
  }

  /** The service is gone, and its buckets with it; they are not counted as forgotten. */
  close(): void {
    for (const bucket of [...this.#buckets()]) this.#drop(bucket);
  }
}
