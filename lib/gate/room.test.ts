import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Bucket,
  ClientBuckets,
  debit,
  fullAt,
  giveBack,
  lacksToken,
  openBucket,
  refill,
} from "./bucket.ts";
import { Room } from "./room.ts";
import { limitOf, type Rule } from "./snapshot.ts";

const RULES = [
  [1, 3, 1],
  [2, 7, 3],
].map(
  ([requests, per_ms, burst], index): Rule => ({
    ...{ id: `r${index}`, index, pattern: "", fits: () => true },
    ...limitOf(requests!, per_ms!, burst!),
  }),
);

/** What happens to one of the buckets that there are, by its number, or to all of them. */
const step = fc.record({
  what: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom("open", "use", "use", "touch", "hold", "commit", "cancel" as const),
    },
    { weight: 4, arbitrary: fc.constant("forget" as const) },
    { weight: 1, arbitrary: fc.constantFrom("update", "close" as const) },
  ),
  which: fc.nat(20),
  later_ms: fc.oneof({ weight: 4, arbitrary: fc.nat(6) }, fc.integer({ min: -9, max: 30 })),
  short: fc.integer({ min: 1, max: 4 }),
  onlyFull: fc.boolean(),
  isOwn: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A room beside a plain list of its buckets, which are looked through at every question. */
class Rooms {
  readonly #room = new Room();
  #buckets: Bucket[] = [];
  #requests = 0;
  #now_ms = 100;

  play({ what, which, later_ms, ...wanted }: Step): void {
    this.#now_ms = Math.max(0, this.#now_ms + later_ms);
    const bucket = this.#buckets[which % Math.max(1, this.#buckets.length)];
    if (what === "open") this.#open(1 + (which % 2));
    else if (what === "forget") this.#forget(wanted);
    else if (what === "update" || what === "close") this.#clear(what);
    else if (bucket !== undefined) this[what](bucket);
  }

  /** A request makes a bucket of each of some rules. */
  #open(rules: number): void {
    this.#requests += 1;
    const client = new ClientBuckets(this, { kind: "ip", value: "a" });
    for (const rule of RULES.slice(-rules)) {
      const bucket = openBucket(rule, client, this.#now_ms, this.#requests);
      debit(bucket);
      this.#buckets.push(bucket);
      this.#room.add(bucket);
    }
  }

  use(bucket: Bucket): void {
    this.#requests += 1;
    refill(bucket, this.#now_ms);
    bucket.used = this.#requests;
    if (!lacksToken(bucket)) debit(bucket);
  }

  /** A request that was denied for another bucket: this one is refilled and not debited. */
  touch(bucket: Bucket): void {
    this.#requests += 1;
    refill(bucket, this.#now_ms);
    bucket.used = this.#requests;
    this.#room.fuller(bucket);
  }

  hold(bucket: Bucket): void {
    bucket.held += 1;
  }

  commit(bucket: Bucket): void {
    if (bucket.held === 0) return;
    bucket.held -= 1;
    this.#room.release(bucket);
  }

  cancel(bucket: Bucket): void {
    if (bucket.held === 0) return;
    refill(bucket, this.#now_ms);
    giveBack(bucket);
    this.commit(bucket);
  }

  #forget({ short, onlyFull, isOwn }: Pick<Step, "short" | "onlyFull" | "isOwn">): void {
    const own = isOwn ? this.#requests : -1;
    const found = this.#room.victims(short, this.#now_ms, own, onlyFull);
    const expected = this.#expected(short, own, onlyFull);
    expect(found === null).toBe(expected === null);
    if (found === null || expected === null) return;
    expect(found.full.map((bucket) => this.#buckets.indexOf(bucket))).toEqual(expected.full);
    expect(found.lossy.map((bucket) => this.#buckets.indexOf(bucket))).toEqual(expected.lossy);
    const gone = [...found.full, ...found.lossy];
    for (const bucket of gone) this.#room.remove(bucket);
    this.#buckets = this.#buckets.filter((bucket) => !gone.includes(bucket));
  }

  /** G6 as it stands: full ones first, least recently used first, ties by the order of the rules. */
  #expected(short: number, own: number, onlyFull: boolean) {
    const free = [...this.#buckets.keys()].filter((at) => {
      const { held, used } = this.#buckets[at]!;
      return held === 0 && used !== own;
    });
    const byUse = (a: number, b: number) => {
      const [one, other] = [this.#buckets[a]!, this.#buckets[b]!];
      return one.used - other.used || one.rule.index - other.rule.index;
    };
    const isFull = (at: number) => fullAt(this.#buckets[at]!) <= this.#now_ms;
    const full = free.filter(isFull).sort(byUse).slice(0, short);
    const others = onlyFull ? [] : free.filter((at) => !full.includes(at)).sort(byUse);
    const lossy = others.slice(0, short - full.length);
    return full.length + lossy.length === short ? { full, lossy } : null;
  }

  /** As an update does it, with or without what was there before. */
  #clear(what: "update" | "close"): void {
    this.#room.clear();
    if (what === "close") this.#buckets = [];
    for (const bucket of this.#buckets) this.#room.add(bucket);
  }
}

test("which bucket goes first is what a look through all of them finds, whatever happened before (G6)", () => {
  const property = fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
    const rooms = new Rooms();
    for (const one of steps) rooms.play(one);
  });
  fc.assert(property, { numRuns: 3000 });
});
