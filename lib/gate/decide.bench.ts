import { TokenBucket } from "limiter";
import { RateLimiterMemory, RateLimiterUnion } from "rate-limiter-flexible";
import type { GateRequest } from "./decision.ts";
import { Gate } from "./gate.ts";
import { MemoryStore } from "./memory-store.ts";
import { stageConfig } from "./update.ts";

/*
 * Decisions per second in process: the gate beside two libraries, each in two ways.
 *
 * - The gate finds service, rules and client of each request, refills and debits every rule's bucket or none, in exact
 *   numbers, within its bound of buckets, counts what it did, and answers with reason, wait and levels.
 * - A peer at equal work (`Composed`) is the plainest program around it that does the same: it finds the rules by host and
 *   path and the client by its network, keeps at most `BOUND` limiters of a rule, the least recently used goes first,
 *   looks at all rules and then takes from all, counts allowed and denied by rule, and answers with a wait. What the gate
 *   does besides, it does not: exact numbers (both count in doubles, one of them in fixed windows), a refund, a bound that
 *   prefers full buckets, updates, versions.
 * - A bare peer is the library alone: it is told rules and client, looks for nothing, bounds nothing, counts nothing.
 */

/** Clients that come back, so that every limiter works on buckets it has. */
const CLIENTS = 1000;
const ROUNDS = 300_000;
const REPEATS = 8;
const BOUND = 10_000;
/** As many a second as no run reaches: what is measured is an admission, not a refusal. */
const PLENTY = 100_000_000;

const peers = Array.from({ length: CLIENTS }, (_, index) => `10.${index >> 8}.${index & 255}.1`);
const request = (peer: string): GateRequest => ({
  ...{ host: "a.example", path: "/api/x" },
  ...{ peer, token: null, hold: null },
});
const rulesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: `r${index}`, path: "^/api", requests: PLENTY, per: "1s" },
  }));

type Run = () => Promise<void> | void;

function gateRun(rules: number): Run {
  const services = [
    { name: "api", auth: "off", price: 0, rules: rulesOf(rules), max_entries: BOUND * rules },
  ];
  const staged = stageConfig({ services });
  if (!staged.ok) throw new Error(staged.problems[0]!.message);
  const gate = new Gate(staged.value, new MemoryStore(staged.value.snapshot));
  return () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      // The peers read the clock themselves.
      const { verdict } = gate.decide(request(peers[round % CLIENTS]!), Date.now());
      if (verdict !== "allowed") throw new Error(`the gate came to ${verdict}`);
    }
  };
}

/** As many of the last used as fit: a map keeps the order in which its entries were set. */
class Latest<V> {
  readonly #entries = new Map<string, V>();

  get(key: string, make: () => V): V {
    let value = this.#entries.get(key);
    if (value === undefined) {
      value = make();
      if (this.#entries.size >= BOUND) this.#entries.delete(this.#entries.keys().next().value!);
    } else this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }
}

/** One rule of a program that was written around a library. */
interface ComposedRule<L> {
  readonly path: RegExp;
  readonly limiters: Latest<L>;
  allowed: number;
  denied: number;
}
interface Answer {
  readonly isAllowed: boolean;
  readonly retry_after_s: number;
}

/** What a program around a library does for each request before and after it asks it. */
class Composed<L> {
  readonly #services: { host: RegExp; rules: ComposedRule<L>[] }[];
  /** What was found for a host and a path: expressions are not tried for every request. */
  readonly #routes = new Latest<ComposedRule<L>[]>();
  readonly #make: () => L;

  constructor(rules: number, make: () => L) {
    const each = rulesOf(rules).map(({ path }) => ({ path: new RegExp(path), limiters: new Latest<L>() }));
    this.#services = [{ host: /^a\./, rules: each.map((rule) => ({ ...rule, allowed: 0, denied: 0 })) }];
    this.#make = make;
  }

  rulesFor({ host, path }: GateRequest): ComposedRule<L>[] {
    return this.#routes.get(`${host}${path}`, () => {
      const { pathname } = new URL(path, "http://gate");
      const service = this.#services.find((one) => one.host.test(host));
      return service?.rules.filter((rule) => rule.path.test(pathname)) ?? [];
    });
  }

  /** The limiters of a client, which is a /24: enough for this benchmark's addresses, and less work than any address is. */
  limitersOf(rules: readonly ComposedRule<L>[], { peer }: GateRequest): L[] {
    const client = peer.slice(0, peer.lastIndexOf("."));
    return rules.map(({ limiters }) => limiters.get(client, this.#make));
  }

  /** `waits_ms`: of each rule, 0 where it has a token. */
  count(rules: readonly ComposedRule<L>[], waits_ms: readonly number[]): Answer {
    let wait_ms = 0;
    for (const one of waits_ms) if (one > wait_ms) wait_ms = one;
    for (let place = 0; place < rules.length; place += 1)
      if (wait_ms === 0) rules[place]!.allowed += 1;
      else if (waits_ms[place]! > 0) rules[place]!.denied += 1;
    return { isAllowed: wait_ms === 0, retry_after_s: Math.ceil(wait_ms / 1000) };
  }
}

function fullBucket(parentBucket?: TokenBucket): TokenBucket {
  const limits = { bucketSize: PLENTY, tokensPerInterval: PLENTY, interval: "second" } as const;
  const bucket = new TokenBucket(parentBucket === undefined ? limits : { ...limits, parentBucket });
  bucket.content = PLENTY;
  return bucket;
}

/** What this peer's bucket lacks to one token, in milliseconds; it is refilled by that. */
function lackOf(bucket: TokenBucket): number {
  bucket.drip();
  return bucket.content >= 1 ? 0 : bucket.getWaitTime(1);
}

/** A bucket for each rule and client: all are looked at, then a token is taken from all, in one turn. */
function limiterAtEqualWork(rules: number): Run {
  const composed = new Composed(rules, () => fullBucket());
  const decide = (one: GateRequest): Answer => {
    const matching = composed.rulesFor(one);
    const buckets = composed.limitersOf(matching, one);
    const answer = composed.count(matching, buckets.map(lackOf));
    if (answer.isAllowed) for (const bucket of buckets) bucket.content -= 1;
    return answer;
  };
  return () => {
    for (let round = 0; round < ROUNDS; round += 1)
      if (!decide(request(peers[round % CLIENTS]!)).isAllowed) throw new Error("refused");
  };
}

/** This peer's own way to take from all of several buckets or from none: each has the next one above it. */
function limiterBare(rules: number): Run {
  const buckets = new Map<string, TokenBucket>();
  return () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const client = peers[round % CLIENTS]!;
      let bucket = buckets.get(client);
      if (bucket === undefined) {
        for (let rule = 0; rule < rules; rule += 1) bucket = fullBucket(bucket);
        buckets.set(client, bucket!);
      }
      if (!bucket!.tryRemoveTokens(1)) throw new Error("refused");
    }
  };
}

const window = (keyPrefix: string) => new RateLimiterMemory({ points: PLENTY, duration: 3600, keyPrefix });

/**
 * This peer answers later, so that others come in between: who took from one rule and not from another gives back what it
 * took. A limiter of it is for one client here, since only so can the least recently used one be let go.
 */
function flexibleAtEqualWork(rules: number): Run {
  const composed = new Composed(rules, () => window(""));
  const decide = async (one: GateRequest): Promise<Answer> => {
    const matching = composed.rulesFor(one);
    const limiters = composed.limitersOf(matching, one);
    const waits_ms = await Promise.all(
      limiters.map((limiter) =>
        limiter.consume("").then(
          () => 0,
          ({ msBeforeNext }: { msBeforeNext: number }) => Math.max(1, msBeforeNext),
        ),
      ),
    );
    const answer = composed.count(matching, waits_ms);
    if (!answer.isAllowed) await Promise.all(limiters.map((limiter) => limiter.reward("")));
    return answer;
  };
  return async () => {
    for (let round = 0; round < ROUNDS; round += 1)
      if (!(await decide(request(peers[round % CLIENTS]!))).isAllowed) throw new Error("refused");
  };
}

/** This peer's own way to several rules is a union of limiters. */
function flexibleBare(rules: number): Run {
  const limiters = Array.from({ length: rules }, (_, index) => window(`r${index}`));
  const limiter = rules === 1 ? limiters[0]! : new RateLimiterUnion(...limiters);
  return async () => {
    for (let round = 0; round < ROUNDS; round += 1) await limiter.consume(peers[round % CLIENTS]!);
  };
}

/** Decisions per second of processor time, the best of some runs each. They take turns: a busy machine is busy for all. */
async function ratesOf(runs: readonly Run[]): Promise<number[]> {
  const best = runs.map(() => 0);
  for (let repeat = 0; repeat < REPEATS; repeat += 1)
    for (const [index, run] of runs.entries()) {
      const before = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(before);
      best[index] = Math.max(best[index]!, (ROUNDS / (user + system)) * 1e6);
    }
  return best;
}

async function ratesLine(rules: number): Promise<string> {
  const kinds = [gateRun, limiterAtEqualWork, flexibleAtEqualWork, limiterBare, flexibleBare];
  const [gate, ...others] = (await ratesOf(kinds.map((kind) => kind(rules)))) as [number, ...number[]];
  const [limiter, flexible, bareLimiter, bareFlexible] = others.map(
    (peer) => `× ${(gate / peer).toFixed(1)}`,
  );
  return `gate, ${rules} rule${rules > 1 ? "s" : ""}: ${(gate / 1e6).toFixed(2)} M decisions/s; at equal work ${limiter} of limiter, ${flexible} of rate-limiter-flexible (memory); bare, told client and rules, unbounded and uncounted, ${bareLimiter} and ${bareFlexible}`;
}

/** Decisions per second in process, one core, beside peers. One line each. */
export async function bench(): Promise<string[]> {
  const lines: string[] = [];
  for (const rules of [1, 3]) lines.push(await ratesLine(rules));
  return lines;
}
