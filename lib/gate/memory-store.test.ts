import { expect, test } from "vitest";
import { Tally } from "./ledger.ts";
import { MemoryStore } from "./memory-store.ts";
import { ServiceBuckets } from "./service-buckets.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Demand } from "./store.ts";
import { stageConfig } from "./update.ts";

const rule = (id: string) => ({ id, requests: 5, per: "1d" });
const service = (name: string, ...ids: string[]) => ({
  ...{ name, auth: "off", price: 0, rules: ids.map(rule) },
});
function snapshotOf(...services: object[]): Snapshot {
  const staged = stageConfig({ services, hold_ms: 100 });
  if (!staged.ok) throw new Error(JSON.stringify(staged.problems));
  return staged.value.snapshot;
}
/** A request for the first service of a snapshot, on all of its rules. */
const demandOf = ({ services: [first] }: Snapshot, fields: Partial<Demand> = {}): Demand => ({
  ...{ service: first!, rules: first!.rules, client: { kind: "ip", value: "a" }, now_ms: 0 },
  ...{ hold: null, hold_ms: 100, freebie: false },
  ...fields,
});
const balances = ({ levels }: { levels: readonly { balance: number }[] }) =>
  levels.map(({ balance }) => balance);

const before = snapshotOf(service("api", "gone", "kept"));
/** A store that has gone over to a snapshot without one of the rules, and without the service at last. */
function updated(...services: object[]) {
  const store = new MemoryStore(before);
  store.admit(demandOf(before, { hold: "early" }));
  store.publish(snapshotOf(...services), 0, 1);
  return store;
}

test("a request from before takes from the rules that live on, and from none where its service is gone (G8)", () => {
  const narrower = updated(service("api", "kept"));
  expect(balances(narrower.admit(demandOf(before)))).toEqual([3]);
  const gone = updated(service("other", "kept"));
  expect(gone.admit(demandOf(before))).toEqual({ ok: true, levels: [], unchecked: false });
  expect(gone.state().ledger).toMatchObject({ reserved: 1, outstanding: 1 });
});

test.each(["committed", "cancelled"] as const)(
  "an admission whose service is gone is %s all the same, and gives nothing (G4, G8)",
  (how) => {
    const gone = updated(service("other", "kept"));
    expect(gone.end("early", how, 1)).toEqual({ ended: how, levels: [], freebie: null });
    expect(gone.stateOf("api").ledger).toMatchObject({ reserved: 1, [how]: 1, outstanding: 0 });
    expect(gone.stateOf("other").ledger.reserved).toBe(0);
  },
);

test("an end at the time at which an admission expires comes too late (G4)", () => {
  const store = new MemoryStore(before);
  store.admit(demandOf(before, { hold: "a" }));
  store.admit(demandOf(before, { hold: "b" }));
  expect(store.end("a", "cancelled", 99).ended).toBe("cancelled");
  expect(store.end("b", "cancelled", 100)).toEqual({ ended: "already", was: "expired" });
});

test("an end whose id nobody else knows is not remembered, any other one is (G4)", () => {
  const store = new MemoryStore(before);
  store.admit(demandOf(before, { hold: "a" }));
  store.admit(demandOf(before, { hold: "b" }));
  store.end("a", "committed", 0, true);
  store.end("b", "committed", 0);
  expect(store.end("a", "committed", 0)).toEqual({ ended: "unknown" });
  expect(store.end("b", "committed", 0)).toEqual({ ended: "already", was: "committed" });
});

test("where no rule matches only a freebie can be held, and only under an id (G4, G7)", () => {
  const bare = snapshotOf(service("api"));
  const store = new MemoryStore(bare);
  store.admit(demandOf(bare, { hold: "a" }));
  store.admit(demandOf(bare, { hold: null, freebie: true }));
  expect(store.outstanding()).toEqual([]);
  store.admit(demandOf(bare, { hold: "b", freebie: true }));
  expect(store.outstanding()).toEqual(["b"]);
  expect(store.end("b", "cancelled", 0)).toMatchObject({ freebie: { service: "api" } });
  expect(store.state().ledger.reserved).toBe(0);
});

test("a request of a service that is gone, and had the last place, takes nothing (G8)", () => {
  const both = snapshotOf(service("api", "r"), service("last", "r"));
  const store = new MemoryStore(both);
  store.publish(snapshotOf(service("api", "r")), 0, 1);
  expect(store.admit(demandOf(both, { service: both.services[1]! }))).toMatchObject({ ok: true, levels: [] });
  expect(store.state().ledger.reserved).toBe(0);
});

test("what is due has expired before a request is decided, and before an update (G4, G6, G8)", () => {
  const narrow = snapshotOf({ ...service("api", "r"), max_entries: 1 });
  const store = new MemoryStore(narrow);
  store.admit(demandOf(narrow, { hold: "a" }));
  const other: Partial<Demand> = { client: { kind: "ip", value: "b" }, hold: "b" };
  expect(store.admit(demandOf(narrow, { ...other, now_ms: 99 }))).toMatchObject({ reason: "capacity" });
  expect(store.admit(demandOf(narrow, { ...other, now_ms: 100 }))).toMatchObject({ ok: true });
  expect(store.state()).toMatchObject({ ledger: { expired: 1 }, evictions: { full: 0, lossy: 1 } });
  store.publish(narrow, 200, 1);
  expect(store.state().ledger).toMatchObject({ expired: 2, outstanding: 0 });
});

test("a service that was away has new buckets, and an end from before touches none of them (G6, G8)", () => {
  const narrow = snapshotOf({ ...service("api", "r"), max_entries: 1 });
  const store = new MemoryStore(narrow);
  store.admit(demandOf(narrow, { hold: "early" }));
  store.publish(snapshotOf(service("other", "r")), 0, 1);
  store.publish(narrow, 0, 2);
  expect(store.end("early", "cancelled", 1)).toMatchObject({ ended: "cancelled", levels: [] });
  const of = (value: string) => balances(store.admit(demandOf(narrow, { client: { kind: "ip", value } })));
  // The second client's bucket goes for the third's, and is full again when it comes back.
  expect([...of("b"), ...of("b"), ...of("c"), ...of("b")]).toEqual([4, 3, 4, 4]);
  expect([store.sizeOf("api"), store.state().evictions.lossy]).toEqual([1, 2]);
});

test("a bucket that was full when its request was refused is full, whatever the clock says afterwards (G4, G6)", () => {
  const rules = [
    { id: "slow", path: "slow", requests: 1, per: "1d" },
    { id: "fast", requests: 1, per: "10ms", burst: 2 },
  ];
  const both = snapshotOf({ ...service("api"), rules, max_entries: 3 });
  const store = new MemoryStore(both);
  const other: Partial<Demand> = { client: { kind: "ip", value: "b" } };
  store.admit(demandOf(both, { now_ms: 100 }));
  expect(store.admit(demandOf(both, { now_ms: 120 }))).toMatchObject({
    reason: "rate",
    retry_after_ms: 86_399_980,
  });
  expect(store.admit(demandOf(both, { ...other, now_ms: 105 }))).toMatchObject({ ok: true });
  expect(store.state().evictions).toEqual({ full: 1, lossy: 0 });
});

test("a bucket that was full when there was no room for another is full, whatever the clock says afterwards (G4, G6)", () => {
  const rules = [
    { id: "slow", requests: 1, per: "1d" },
    { id: "fast", requests: 1, per: "10ms", burst: 2 },
  ];
  const both = snapshotOf({ ...service("api"), rules, max_entries: 2, on_pressure: "deny" });
  const store = new MemoryStore(both);
  const [slow, fast] = both.services[0]!.rules.map((one) => [one]);
  const [a, b, c] = ["a", "b", "c"].map((value) => ({ client: { kind: "ip", value } as const }));
  store.admit(demandOf(both, { ...a, rules: fast!, now_ms: 100 }));
  store.admit(demandOf(both, { ...b, rules: slow!, now_ms: 100 }));
  expect(store.admit(demandOf(both, { ...a, now_ms: 120 }))).toMatchObject({ reason: "capacity" });
  expect(store.admit(demandOf(both, { ...c, rules: slow!, now_ms: 105 }))).toMatchObject({ ok: true });
  expect(store.state().evictions).toEqual({ full: 1, lossy: 0 });
});

test("a cancel is a moment of its buckets: what was earned until then stays, though the clock goes back (G4)", () => {
  const quick = snapshotOf({ ...service("api"), rules: [{ id: "r", requests: 1, per: "10ms", burst: 5 }] });
  const store = new MemoryStore(quick);
  for (const hold of ["a", null, null, null]) store.admit(demandOf(quick, { hold }));
  expect(store.end("a", "cancelled", 20)).toMatchObject({ levels: [{ balance: 4 }] });
  expect(balances(store.admit(demandOf(quick, { now_ms: 10 })))).toEqual([3]);
});

test("a client that was met in another store over the same snapshot has buckets of its own in each (G3)", () => {
  const api = snapshotOf(service("api", "r"));
  const client = api.services[0]!.clientAt("192.0.2.1")!;
  const [one, other] = [new MemoryStore(api), new MemoryStore(api)];
  const taken = [one, one, other, other, one].map((store) =>
    balances(store.admit(demandOf(api, { client }))),
  );
  expect(taken).toEqual([[4], [3], [4], [3], [2]]);
});

test("nothing is kept of a client whose buckets are all forgotten (G6)", () => {
  const narrow = snapshotOf({ ...service("api", "r"), max_entries: 1 }).services[0]!;
  const buckets = new ServiceBuckets(narrow, new Tally());
  const [a, b] = ["a", "b"].map((value) => ({ kind: "ip", value }) as const);
  buckets.take(narrow.rules, a!, 0);
  expect(buckets.find(a!)?.count).toBe(1);
  buckets.take(narrow.rules, b!, 0);
  expect([buckets.find(a!), buckets.find(b!)?.count, buckets.size]).toEqual([undefined, 1, 1]);
});

test("counts of one service are its own, and who replaces a part of the store finds its buckets (G10)", () => {
  class Opened extends MemoryStore {
    sizeBeside(name: string): number | undefined {
      const buckets: ServiceBuckets | undefined = this.bucketsOf(name);
      return buckets?.size;
    }
  }
  const both = snapshotOf(service("api", "r"), service("other", "r"));
  const store = new Opened(both);
  store.admit(demandOf(both));
  expect(store.stateOf("api").ledger).toMatchObject({ reserved: 1, committed: 1 });
  expect(store.stateOf("other").ledger.reserved).toBe(0);
  expect(["api", "other", "none"].map((name) => store.sizeBeside(name))).toEqual([1, 0, undefined]);
  expect(["api", "other", "none"].map((name) => store.sizeOf(name))).toEqual([1, 0, 0]);
});
