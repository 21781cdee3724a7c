import { expect, test } from "vitest";
import type { ClientKey } from "./client.ts";
import { MemoryFreebies } from "./freebies.ts";
import { Gate } from "./gate.ts";
import { MemoryStore } from "./memory-store.ts";
import type { Demand } from "./store.ts";
import { stageConfig } from "./update.ts";

const client = (value: string, kind: ClientKey["kind"] = "ip"): ClientKey => ({ kind, value });

test("free requests are counted by service, kind and client, never above the most (G7)", () => {
  const freebies = new MemoryFreebies();
  expect(freebies.count("api", client("a"), 1)).toBe(true);
  expect(freebies.count("api", client("a"), 1)).toBe(false);
  expect(freebies.read("api", client("a", "token"))).toBe(0);
  expect(freebies.count("__proto__", client("a"), 1)).toBe(true);
  expect(freebies.clients).toBe(2);
});

test("none is given back that was not counted (G7)", () => {
  const freebies = new MemoryFreebies();
  freebies.giveBack("api", client("a"));
  freebies.count("api", client("a"), 1);
  freebies.giveBack("api", client("a"));
  freebies.giveBack("api", client("a"));
  expect([freebies.read("api", client("a")), freebies.clients]).toEqual([0, 0]);
  expect(freebies.count("api", client("a"), 1)).toBe(true);
  expect(freebies.count("api", client("a"), 1)).toBe(false);
});

test("a client is counted once however many free requests it had, and goes on where no other fits (G7)", () => {
  const freebies = new MemoryFreebies(1);
  expect([freebies.count("api", client("a"), 3), freebies.count("api", client("a"), 3)]).toEqual([
    true,
    true,
  ]);
  expect([freebies.read("api", client("a")), freebies.clients]).toEqual([2, 1]);
  expect(() => freebies.count("api", client("b"), 3)).toThrow(
    "the free requests of 1 clients are counted, and no more fit",
  );
  freebies.giveBack("api", client("a"));
  expect([freebies.read("api", client("a")), freebies.clients]).toEqual([1, 1]);
  freebies.giveBack("api", client("a"));
  expect([freebies.read("api", client("a")), freebies.clients]).toEqual([0, 0]);
  expect(freebies.count("api", client("b"), 3)).toBe(true);
});

const free = {
  services: [{ name: "api", auth: { freebie: 1 }, price: 5, rules: [{ id: "r", requests: 5, per: "1d" }] }],
};

function gateOf(store = storeOf(), freebies = new MemoryFreebies()) {
  const gate = new Gate(stagedFree(), store, freebies);
  const request = { host: "", path: "/", peer: "192.0.2.7", token: null };
  return {
    gate,
    store,
    freebies,
    decide: (fields: object = {}) => gate.decide({ ...request, hold: null, ...fields }, 0),
  };
}
const staged = stageConfig(free);
const stagedFree = () => {
  if (!staged.ok) throw new Error("refused");
  return staged.value;
};
const storeOf = () => new MemoryStore(stagedFree().snapshot);

test("where no more clients fit, another one's request fails and spends nothing; nobody's count is forgotten", () => {
  const freebies = new MemoryFreebies(2);
  const { decide, store } = gateOf(storeOf(), freebies);
  const peers = ["192.0.2.1", "192.0.3.1", "192.0.4.1"];
  expect(peers.map((peer) => decide({ peer }).verdict)).toEqual(["allowed", "allowed", "error"]);
  expect(peers.map((peer) => decide({ peer }).verdict)).toEqual(["challenged", "challenged", "error"]);
  expect(store.state().ledger).toMatchObject({ committed: 2, cancelled: 2, outstanding: 0 });
  expect(freebies.clients).toBe(2);
});

/** A store that fails where an admission ends. */
class EndlessStore extends MemoryStore {
  override end(): never {
    throw new Error("the store is gone");
  }
}

test("a store that is gone when the freebie is counted: allowed, and committed when it expires (G4, G7)", () => {
  const { decide, store, freebies } = gateOf(new EndlessStore(stagedFree().snapshot));
  expect(decide()).toMatchObject({ verdict: "allowed", levels: [{ balance: 4 }] });
  expect(freebies.read("api", client("192.0.2.0/24"))).toBe(1);
  store.moveOn(30_000);
  expect(store.state().ledger).toMatchObject({ reserved: 1, expired: 1, outstanding: 0 });
});

test("freebies and store both gone: an error, no freebie counted, and the tokens stay taken (G7)", () => {
  const { decide, freebies } = gateOf(new EndlessStore(stagedFree().snapshot), new MemoryFreebies(0));
  expect(decide()).toMatchObject({ verdict: "error", levels: [] });
  expect(freebies.clients).toBe(0);
});

/** Another process takes the last free request while this one is asking the store. */
class RacedStore extends MemoryStore {
  raced = () => {};
  override admit(demand: Demand) {
    this.raced();
    return super.admit(demand);
  }
}

test("the last freebie was taken meanwhile: challenged, and every token is back (G7)", () => {
  const store = new RacedStore(stagedFree().snapshot);
  const { decide, freebies } = gateOf(store);
  store.raced = () => freebies.count("api", client("192.0.2.0/24"), 1);
  expect(decide({ hold: "a" }).verdict).toBe("challenged");
  expect(store.state().ledger).toMatchObject({ reserved: 1, cancelled: 1, outstanding: 0 });
  expect(decide({ token: "t" }).verdict).toBe("allowed");
});
