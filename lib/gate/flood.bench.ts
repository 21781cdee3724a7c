import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Gate } from "./gate.ts";
import { MemoryStore } from "./memory-store.ts";
import { stageConfig } from "./update.ts";

const FLOOD = 10_000_000;
const BOUND = 10_000;
/** Most of the heap that may come to be in use between the first tenth of the clients and the last, in MiB. */
const GROWTH_MAX_MIB = 2;

const address = (client: number): string => `${1 + (client >> 16)}.${(client >> 8) & 255}.${client & 255}.1`;

/** A full collection: without it, what is measured is what was not collected yet. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

/** Heap that is in use after as many distinct clients as given, in MiB. */
function flood(gate: Gate, from: number, to: number, collect: () => void): number {
  for (let client = from; client < to; client += 1) {
    const request = { host: "a.example", path: "/api/x", peer: address(client), token: null, hold: null };
    gate.decide(request, client);
  }
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const millions = (count: number): string => (count / 1e6).toFixed(2);

/** Memory over many distinct clients, each of which makes a bucket and has another one forgotten. One line. */
export async function bench(): Promise<string[]> {
  const rules = [{ id: "r0", path: "^/api", requests: 100_000_000, per: "1s" }];
  const services = [{ name: "api", auth: "off", price: 0, rules, max_entries: BOUND }];
  const staged = stageConfig({ services });
  if (!staged.ok) throw new Error(staged.problems[0]!.message);
  const store = new MemoryStore(staged.value.snapshot);
  const gate = new Gate(staged.value, store);
  const collect = collector();
  const before = process.cpuUsage();
  const [early, late] = [flood(gate, 0, FLOOD / 10, collect), flood(gate, FLOOD / 10, FLOOD, collect)];
  const { user, system } = process.cpuUsage(before);
  const rate = (FLOOD / (user + system)) * 1e6;
  const flat = late - early < GROWTH_MAX_MIB ? "flat" : `GROWS by ${(late - early).toFixed(1)} MiB`;
  return [
    `gate, ${millions(FLOOD)} M distinct clients, bound ${BOUND}: ${store.sizeOf("api")} buckets, heap after a full collection ${early.toFixed(1)} MiB after a tenth, ${late.toFixed(1)} MiB at the end (${flat}), ${millions(rate)} M decisions/s, each of which forgets a bucket`,
  ];
}
