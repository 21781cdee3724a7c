import { expect, test } from "vitest";
import { MemoryStore } from "./memory-store.ts";
import type { ServiceBuckets } from "./service-buckets.ts";
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
