import { expect, test } from "vitest";
import type { ClientKey } from "./client.ts";
import type { GateRequest } from "./decision.ts";
import type {
  DecisionEntry,
  DecisionSink,
  EndEntry,
  PublishEntry,
  RefusalEntry,
  TallyEntry,
} from "./decision-sink.ts";
import { type FreebieStore, MemoryFreebies, type OnPlaced } from "./freebies.ts";
import { Gate } from "./gate.ts";
import { MemoryStore } from "./memory-store.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Admit, Counted, Demand, Store, StoreObserver } from "./store.ts";
import { stageConfig } from "./update.ts";

const CONFIG = {
  services: [{ name: "api", auth: "off", price: 0, rules: [{ id: "r", requests: 5, per: "1d" }] }],
};
const request = (fields: Partial<GateRequest> = {}): GateRequest => ({
  ...{ host: "", path: "/", peer: "192.0.2.7", token: null, hold: null },
  ...fields,
});
function stagedOf(config: unknown) {
  const staged = stageConfig(config);
  if (!staged.ok) throw new Error("refused");
  return staged.value;
}

/** A store that answers later and says where each call stands, as one that processes share does. */
class LaterStore implements Store<true> {
  readonly inner: MemoryStore;
  observer: StoreObserver | null = null;
  isAway = false;
  /** What every answer waits for. */
  answered: Promise<void> = Promise.resolve();
  admits = 0;
  #calls = 0;

  constructor(snapshot: Snapshot) {
    this.inner = new MemoryStore(snapshot);
  }
  observe(observer: StoreObserver): void {
    this.observer = observer;
  }
  async admit(demand: Demand): Promise<Admit> {
    this.admits += 1;
    const admit = { ...this.inner.admit(demand), order: this.#next() };
    await this.answered;
    return admit;
  }
  onEnd = (_forget: boolean | undefined): unknown => undefined;
  async end(...args: Parameters<MemoryStore["end"]>) {
    this.onEnd(args[3]);
    if (this.isAway) throw new Error("away");
    return { ...this.inner.end(...args), order: this.#next() };
  }
  async publish(...args: Parameters<MemoryStore["publish"]>) {
    if (this.isAway) throw new Error("away");
    const published = { ...this.inner.publish(...args), order: this.#next() };
    await this.answered;
    return published;
  }
  #next(): string {
    this.#calls += 1;
    return `0123abcd:${this.#calls}`;
  }
}

class Told implements DecisionSink {
  readonly decisions: DecisionEntry[] = [];
  readonly ends: EndEntry[] = [];
  readonly published: PublishEntry[] = [];
  readonly tallies: TallyEntry[] = [];
  append = (entry: DecisionEntry) => void this.decisions.push(entry);
  end = (entry: EndEntry) => void this.ends.push(entry);
  publish = (entry: PublishEntry) => void this.published.push(entry);
  readonly refusals: RefusalEntry[] = [];
  refuse = (entry: RefusalEntry) => void this.refusals.push(entry);
  tally = (entry: TallyEntry) => void this.tallies.push(entry);
}

function gateOver(sink: Told | null = new Told(), config: unknown = CONFIG, freebies?: FreebieStore) {
  const staged = stagedOf(config);
  const store = new LaterStore(staged.snapshot);
  return { store, told: sink ?? new Told(), gate: new Gate(staged, store, freebies, 1, sink) };
}
const FREE = { services: [{ ...CONFIG.services[0]!, auth: { freebie: 2 }, price: 5 }], hold_ms: 100 };
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Freebies that are asked in the order of a shared store, and answer when they may. */
class PlacedFreebies implements FreebieStore {
  readonly inner = new MemoryFreebies();
  /** What every answer waits for. */
  answered: Promise<void> = Promise.resolve();
  calls = 0;
  read(service: string, client: ClientKey, onPlaced?: OnPlaced): Promise<number> {
    return this.#later(this.inner.read(service, client), onPlaced);
  }
  count(service: string, client: ClientKey, most: number, onPlaced?: OnPlaced): Promise<boolean> {
    return this.#later(this.inner.count(service, client, most), onPlaced);
  }
  giveBack(service: string, client: ClientKey, onPlaced?: OnPlaced): Promise<void> {
    return this.#later(this.inner.giveBack(service, client), onPlaced);
  }
  async #later<T>(found: T, onPlaced?: OnPlaced): Promise<T> {
    this.calls += 1;
    onPlaced?.(`89abcdef:${this.calls}`);
    await this.answered;
    return found;
  }
}

test("a store that answers later cannot decide at once", () => {
  const { gate } = gateOver();
  expect(() => gate.decide(request(), 0)).toThrow("a store answers later: use decideInOrder");
});

test("what a store that is shared was asked is told with its place in the store's order (G11, G12)", async () => {
  const { gate, told } = gateOver();
  await gate.decideInOrder(request({ hold: "a" }), () => 1);
  await gate.endLater("a", "cancelled", 2);
  expect(told.decisions).toMatchObject([{ seq: 2, order: "0123abcd:1", unreached: false }]);
  expect(told.ends).toMatchObject([
    { seq: 3, order: "0123abcd:2", ended: "cancelled", levels: [{ balance: 5 }] },
  ]);
  expect(gate.seq).toBe(3);
});

test("an end that had no answer is told as such, and throws (G12)", async () => {
  const { gate, store, told } = gateOver();
  await gate.decideInOrder(request({ hold: "a" }), () => 1);
  store.isAway = true;
  await expect(gate.endLater("a", "committed", 2)).rejects.toThrow("away");
  expect(told.ends).toEqual([
    { seq: 3, time_ms: 2, hold: "a", asked: "committed", ended: "unreached", was: null, levels: [] },
  ]);
  const silent = gateOver(null);
  await silent.gate.decideInOrder(request({ hold: "a" }), () => 1);
  silent.store.isAway = true;
  await expect(silent.gate.endLater("a", "committed", 2)).rejects.toThrow("away");
});

test("an update of a store that answers later goes live once, and is told with its place (G8, G12)", async () => {
  const { gate, told } = gateOver();
  const next = { services: [{ ...CONFIG.services[0]!, price: 1 }] };
  expect(await gate.updateLater(next, 5)).toMatchObject({ published: true, version: 2 });
  expect(gate.config.services[0]!.price).toBe(1);
  expect(gate.snapshot.config).toBe(gate.config);
  expect(told.published).toMatchObject([
    { seq: 1, version: 1, time_ms: 0 },
    { seq: 2, version: 2, time_ms: 5, order: "0123abcd:1" },
  ]);
  expect(await gate.updateLater({ services: [] }, 6)).toMatchObject({ published: false, version: 2 });
  expect(await gate.publishLater(stagedOf(next), 7, 1)).toMatchObject({ published: false, version: 2 });
  expect(gate.updates).toEqual({ published: 1, refused: 2 });
});

test("what went live elsewhere is followed and told without a place; what is older is not (G12)", () => {
  const { gate, told } = gateOver();
  gate.follow(stagedOf({ services: [{ ...CONFIG.services[0]!, price: 7 }] }), 4);
  expect([gate.version, gate.config.services[0]!.price]).toEqual([4, 7]);
  gate.follow(stagedOf(CONFIG), 4);
  gate.follow(stagedOf(CONFIG), 3);
  expect([gate.version, gate.config.services[0]!.price]).toEqual([4, 7]);
  expect(told.published).toHaveLength(2);
  expect(told.published[1]).not.toHaveProperty("order");
});

test("what a shared store does by itself is told: what it founds, and its counts now and then (G11, G12)", () => {
  const { store, told } = gateOver();
  const { snapshot } = stagedOf(CONFIG);
  store.observer!.founded({ snapshot, version: 3, time_ms: 9, order: "0123abcd:7" });
  expect(told.published[1]).toEqual({
    ...{ seq: 2, time_ms: 9, order: "0123abcd:7", version: 3, config: snapshot.config, founded: true },
  });
  const counted = (time_ms: number, moved: boolean): Counted => ({
    time_ms,
    moved,
    order: "0123abcd:8",
    counts: new Map(),
  });
  const times: [number, boolean][] = [
    [10_000, false],
    [19_999, false],
    [20_000, false],
    [20_001, true],
    [30_000, false],
    [30_001, false],
  ];
  for (const [time_ms, moved] of times) store.observer!.counted(counted(time_ms, moved));
  expect(told.tallies.map(({ time_ms }) => time_ms)).toEqual([10_000, 20_000, 20_001, 30_001]);
  expect(told.tallies[0]).toEqual({ seq: 2, ...counted(10_000, false) });
  const silent = gateOver(null);
  silent.store.observer!.founded({ snapshot, version: 3, time_ms: 9, order: "0123abcd:7" });
  silent.store.observer!.counted(counted(10_000, true));
});

test("a peer that is no address is denied, whatever a header says (G3)", () => {
  const staged = stagedOf({ ...CONFIG, trusted_proxies: ["10.0.0.0/8"] });
  const gate = new Gate(staged);
  const from = (peer: string, forwardedFor: string) => gate.decide(request({ peer, forwardedFor }), 0);
  expect(from("nobody", "192.0.2.1")).toMatchObject({ verdict: "denied", reason: "client", client: null });
  expect(from("10.0.0.1", "192.0.2.1").client).toMatchObject({ kind: "ip", value: "192.0.2.0/24" });
  expect(from("192.0.3.1", "192.0.2.1").client).toMatchObject({ value: "192.0.3.0/24" });
});

test("what needs no store is decided in order too: unmatched, challenged (G1, G7)", async () => {
  const service = { ...CONFIG.services[0]!, path: "^/api", auth: "on", price: 1 };
  const gate = new Gate(stagedOf({ services: [service] }));
  expect(await gate.decideInOrder(request({ path: "/other" }), () => 0)).toMatchObject({
    ...{ verdict: "unmatched", service: null, path: "", rules: [] },
  });
  expect(await gate.decideInOrder(request({ path: "/api" }), () => 0)).toMatchObject({
    verdict: "challenged",
  });
});

test("where a shared store was asked about a free request, and given it back, is told (G7, G11, G12)", async () => {
  const { gate, told } = gateOver(new Told(), FREE, new PlacedFreebies());
  await gate.decideInOrder(request({ hold: "a" }), () => 1);
  await gate.endLater("a", "cancelled", 2);
  expect(told.decisions[0]).toMatchObject({
    ...{ freebie: "counted", freebie_read: "89abcdef:1", freebie_counted: "89abcdef:2" },
  });
  expect(told.ends[0]).toMatchObject({ ended: "cancelled", freebie_returned: "89abcdef:3" });
});

test("where no free request is at stake, none is asked after (G7)", async () => {
  const freebies = new PlacedFreebies();
  const { gate } = gateOver(null, CONFIG, freebies);
  expect(await gate.decideInOrder(request(), () => 0)).toMatchObject({ verdict: "allowed" });
  expect(freebies.calls).toBe(0);
});

test("what was allowed without a look at a bucket says so (G12)", async () => {
  const { gate, store, told } = gateOver();
  const checked = await gate.decideInOrder(request(), () => 0);
  store.admit = async () => ({ ok: true, levels: [], unchecked: true });
  const unchecked = await gate.decideInOrder(request(), () => 0);
  const nothing = { lacking: [], retry_after_ms: null, levels: [] };
  store.admit = async () => ({ ok: false, reason: "unavailable", ...nothing });
  expect(await gate.decideInOrder(request(), () => 0)).toMatchObject({ unchecked: false });
  expect([checked, unchecked].map((decision) => decision.unchecked)).toEqual([false, true]);
  expect(checked.lacking).toEqual([]);
  expect(told.decisions.map(({ unreached }) => unreached)).toEqual([false, true, true]);
});

test("the second request of a client asks the store when the first has its answer (G5)", async () => {
  const { gate, store } = gateOver();
  const { promise, resolve } = Promise.withResolvers<void>();
  store.answered = promise;
  const both = [gate.decideInOrder(request(), () => 0), gate.decideInOrder(request(), () => 0)];
  await settle();
  expect([store.admits, gate.busyClients]).toEqual([1, 1]);
  resolve();
  await Promise.all(both);
  expect([store.admits, gate.busyClients]).toEqual([2, 0]);
});

test("where only a free request is at stake, its client waits in order too (G5, G7)", async () => {
  const freebies = new PlacedFreebies();
  const { promise, resolve } = Promise.withResolvers<void>();
  freebies.answered = promise;
  const bare = { services: [{ ...FREE.services[0]!, rules: [] }] };
  const { gate } = gateOver(null, bare, freebies);
  const both = [gate.decideInOrder(request(), () => 0), gate.decideInOrder(request(), () => 0)];
  await settle();
  expect([freebies.calls, gate.busyClients]).toEqual([1, 1]);
  resolve();
  expect((await Promise.all(both)).map(({ verdict }) => verdict)).toEqual(["allowed", "allowed"]);
});

test("an admission that expired before its free request failed to be counted shows no balance (G4, G7)", async () => {
  let now_ms = 0;
  class Late extends PlacedFreebies {
    override count(): never {
      now_ms = 100;
      throw new Error("uncounted");
    }
  }
  const { gate, store } = gateOver(null, FREE, new Late());
  const failed = await gate.decideInOrder(request({ hold: "a" }), () => now_ms);
  expect([failed.verdict, failed.levels]).toEqual(["error", []]);
  expect(store.inner.state().ledger).toMatchObject({ expired: 1, cancelled: 0 });
});

test("an admission whose id nobody else knows is forgotten with its end, and another one is not (G4, G7)", async () => {
  const { gate, store } = gateOver(null, FREE, new MemoryFreebies(1));
  const forgets: (boolean | undefined)[] = [];
  store.onEnd = (forget) => forgets.push(forget);
  const other = { peer: "198.51.100.1" };
  for (const fields of [{}, { ...other }, { ...other, hold: "a" }])
    await gate.decideInOrder(request(fields), () => 0);
  expect(forgets).toEqual([true, true, false]);
});

test("an update that is overtaken before its answer comes went live on the store alone, and is told so (G8, G12)", async () => {
  const { gate, store, told } = gateOver();
  const { promise, resolve } = Promise.withResolvers<void>();
  store.answered = promise;
  const [own, newer] = [1, 7].map((price) => ({ services: [{ ...CONFIG.services[0]!, price }] }));
  const published = gate.updateLater(own, 5);
  gate.follow(stagedOf(newer), 3);
  resolve();
  expect(await published).toMatchObject({ published: true, version: 2 });
  expect([gate.version, gate.config.services[0]!.price]).toEqual([3, 7]);
  expect(told.published.map(({ version, founded }) => [version, founded])).toEqual([
    [1, undefined],
    [3, undefined],
    [2, true],
  ]);
  expect(told.published[2]).toMatchObject({ seq: 3, time_ms: 5, order: "0123abcd:1" });
  expect(told.published[2]!.config.services[0]!.price).toBe(1);
});

test("an update that the store could not be reached for has failed: it is counted and told, and nothing went live (G8)", async () => {
  const { store, told, gate } = gateOver();
  store.isAway = true;
  const next = stagedOf(FREE);
  await expect(gate.publishLater(next, 7, 1)).rejects.toThrow("away");
  expect([gate.version, gate.updates]).toEqual([1, { published: 0, refused: 1 }]);
  const problems = [{ file: "config", path: "", message: "away" }];
  expect(told.refusals).toEqual([
    { why: "failed", from: 1, config: next.config, problems, seq: 1, version: 1, time_ms: 7 },
  ]);
  store.isAway = false;
  expect(await gate.publishLater(next, 8, 1)).toMatchObject({ published: true, version: 2 });
});
