import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { TokenBucket } from "limiter";
import { RateLimiterMemory, RateLimiterUnion } from "rate-limiter-flexible";
import type { GateRequest } from "./decision.ts";
import { Gate } from "./gate.ts";
import { MemoryStore } from "./memory-store.ts";
import { stageConfig } from "./update.ts";

/** Clients that come back, so that every limiter works on buckets it has. */
const CLIENTS = 1000;
const ROUNDS = 300_000;
const REPEATS = 8;
const FLOOD = 10_000_000;
const BOUND = 10_000;
/** As many a second as no run reaches: what is measured is an admission, not a refusal. */
const PLENTY = 100_000_000;

const peers = Array.from({ length: CLIENTS }, (_, index) => `10.${index >> 8}.${index & 255}.1`);

function gateOf(rules: number, max_entries = BOUND): { gate: Gate; store: MemoryStore } {
  const list = Array.from({ length: rules }, (_, index) => ({
    id: `r${index}`,
    requests: PLENTY,
    per: "1s",
    path: "^/api",
  }));
  const staged = stageConfig({
    services: [{ name: "api", auth: "off", price: 0, rules: list, max_entries }],
  });
  if (!staged.ok) throw new Error(staged.problems[0]!.message);
  const store = new MemoryStore(staged.value.snapshot);
  return { gate: new Gate(staged.value, store), store };
}

const request = (peer: string): GateRequest => ({
  host: "a.example",
  path: "/api/x",
  peer,
  token: null,
  hold: null,
});

type Run = () => Promise<void> | void;

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

function gateRun(rules: number): Run {
  const { gate } = gateOf(rules);
  return () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      // The peers read the clock themselves.
      const { verdict } = gate.decide(request(peers[round % CLIENTS]!), Date.now());
      if (verdict !== "allowed") throw new Error(`the gate came to ${verdict}`);
    }
  };
}

/** Who is to be limited: at equal work a peer is told by the gate's own search for rules and client, else it is told. */
type Front = (peer: string) => string;
const told: Front = (peer) => peer;
function found(rules: number): Front {
  const { snapshot } = gateOf(rules).gate;
  return (peer) => {
    const { host, path } = request(peer);
    return snapshot.routeOf(host, path)!.service.clientAt(peer)!.value;
  };
}

/** This peer's way to several rules is a union of limiters; it counts fixed windows. */
function flexibleRun(rules: number, front: Front): Run {
  const one = (index: number) =>
    new RateLimiterMemory({ points: PLENTY, duration: 3600, keyPrefix: `r${index}` });
  const limiters = Array.from({ length: rules }, (_, index) => one(index));
  const limiter = rules === 1 ? limiters[0]! : new RateLimiterUnion(...limiters);
  return async () => {
    for (let round = 0; round < ROUNDS; round += 1) await limiter.consume(front(peers[round % CLIENTS]!));
  };
}

/** A bucket of this peer with others above it: its way to take from all of several or from none. */
function chain(rules: number): TokenBucket {
  let bucket: TokenBucket | undefined;
  for (let index = 0; index < rules; index += 1) {
    const limits = { bucketSize: PLENTY, tokensPerInterval: PLENTY, interval: "second" } as const;
    bucket = new TokenBucket(bucket === undefined ? limits : { ...limits, parentBucket: bucket });
    bucket.content = PLENTY;
  }
  return bucket!;
}

/** This peer is a bucket and knows no clients: an unbounded map finds the client's. It counts in doubles. */
function limiterRun(rules: number, front: Front): Run {
  const buckets = new Map<string, TokenBucket>();
  return () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const client = front(peers[round % CLIENTS]!);
      let bucket = buckets.get(client);
      if (bucket === undefined) {
        bucket = chain(rules);
        buckets.set(client, bucket);
      }
      if (!bucket.tryRemoveTokens(1)) throw new Error("refused");
    }
  };
}

async function ratesLine(rules: number): Promise<string> {
  const fronts = [found(rules), told];
  const runs = fronts.flatMap((front) => [flexibleRun(rules, front), limiterRun(rules, front)]);
  const [gate, ...others] = (await ratesOf([gateRun(rules), ...runs])) as [number, ...number[]];
  const [flexible, limiter, flexibleBare, limiterBare] = others.map(
    (peer) => `× ${(gate / peer).toFixed(1)}`,
  );
  return `gate, ${rules} rule${rules > 1 ? "s" : ""}: ${millions(gate)} M decisions/s; at equal work ${flexible} of rate-limiter-flexible (memory), ${limiter} of limiter; ${flexibleBare} and ${limiterBare} where those are told client and rules`;
}

const address = (client: number): string => `${1 + (client >> 16)}.${(client >> 8) & 255}.${client & 255}.1`;

/** A full collection: without it, what is measured is what was not collected yet. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

/** Heap that is in use after as many distinct clients as given, in MiB. */
function flood(gate: Gate, from: number, to: number, collect: () => void): number {
  for (let client = from; client < to; client += 1) gate.decide(request(address(client)), client);
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** Most of the heap that may come to be in use between the first tenth of the clients and the last, in MiB. */
const GROWTH_MAX_MIB = 2;

function floodLine(): string {
  const { gate, store } = gateOf(1);
  const collect = collector();
  const before = process.cpuUsage();
  const [early, late] = [flood(gate, 0, FLOOD / 10, collect), flood(gate, FLOOD / 10, FLOOD, collect)];
  const { user, system } = process.cpuUsage(before);
  const rate = (FLOOD / (user + system)) * 1e6;
  const flat = late - early < GROWTH_MAX_MIB ? "flat" : `GROWS by ${(late - early).toFixed(1)} MiB`;
  return `gate, ${millions(FLOOD)} M distinct clients, bound ${BOUND}: ${store.sizeOf("api")} buckets, heap after a full collection ${early.toFixed(1)} MiB after a tenth, ${late.toFixed(1)} MiB at the end (${flat}), ${millions(rate)} M decisions/s, each of which forgets a bucket`;
}

const millions = (count: number): string => (count / 1e6).toFixed(2);

/** Decisions per second in process, one core, beside peers; and memory over many clients. One line each. */
export async function bench(): Promise<string[]> {
  const lines: string[] = [];
  for (const rules of [1, 3]) lines.push(await ratesLine(rules));
  lines.push(floodLine());
  return lines;
}
