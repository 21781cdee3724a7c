import { RateLimiterMemory, RateLimiterUnion } from "rate-limiter-flexible";
import type { GateRequest } from "./decision.ts";
import { Gate } from "./gate.ts";
import { MemoryStore } from "./memory-store.ts";
import { stageConfig } from "./update.ts";

/** Clients that come back, so that every limiter works on buckets it has. */
const CLIENTS = 1000;
const ROUNDS = 300_000;
const REPEATS = 5;
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

/** The best of some runs, in decisions per second. */
async function rateOf(run: () => Promise<void> | void): Promise<number> {
  let best = 0;
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const started = performance.now();
    await run();
    best = Math.max(best, (ROUNDS / (performance.now() - started)) * 1000);
  }
  return best;
}

function gateRate(rules: number): Promise<number> {
  const { gate } = gateOf(rules);
  let now_ms = 0;
  return rateOf(() => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { verdict } = gate.decide(request(peers[round % CLIENTS]!), ++now_ms);
      if (verdict !== "allowed") throw new Error(`the gate came to ${verdict}`);
    }
  });
}

/** The peer's way to several rules is a union of limiters; it counts fixed windows and matches neither path nor address. */
function peerRate(rules: number): Promise<number> {
  const one = (index: number) =>
    new RateLimiterMemory({ points: PLENTY, duration: 3600, keyPrefix: `r${index}` });
  const limiters = Array.from({ length: rules }, (_, index) => one(index));
  const limiter = rules === 1 ? limiters[0]! : new RateLimiterUnion(...limiters);
  return rateOf(async () => {
    for (let round = 0; round < ROUNDS; round += 1) await limiter.consume(peers[round % CLIENTS]!);
  });
}

const address = (client: number): string => `${1 + (client >> 16)}.${(client >> 8) & 255}.${client & 255}.1`;

/** Heap after as many distinct clients as given, in MiB. */
function flood(gate: Gate, from: number, to: number): number {
  for (let client = from; client < to; client += 1) gate.decide(request(address(client)), client);
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

function floodLine(): string {
  const { gate, store } = gateOf(1);
  const started = performance.now();
  const early = flood(gate, 0, FLOOD / 10);
  const late = flood(gate, FLOOD / 10, FLOOD);
  const rate = (FLOOD / (performance.now() - started)) * 1000;
  return `gate, ${millions(FLOOD)} M distinct clients, bound ${BOUND}: ${store.sizeOf("api")} buckets, heap ${early.toFixed(0)} MiB after a tenth, ${late.toFixed(0)} MiB at the end, ${millions(rate)} M decisions/s`;
}

const millions = (count: number): string => (count / 1e6).toFixed(2);

/** Decisions per second in process, one core, beside a peer; and memory over many clients. One line each. */
export async function bench(): Promise<string[]> {
  const lines: string[] = [];
  for (const rules of [1, 3]) {
    const gate = await gateRate(rules);
    const peer = await peerRate(rules);
    lines.push(
      `gate, ${rules} rule${rules > 1 ? "s" : ""}: ${millions(gate)} M decisions/s; rate-limiter-flexible (memory): ${millions(peer)} M/s; × ${(gate / peer).toFixed(1)}`,
    );
  }
  lines.push(floodLine());
  return lines;
}
