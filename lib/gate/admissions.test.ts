import { expect, test } from "vitest";
import { Gate } from "./gate.ts";
import { MemoryStore } from "./memory-store.ts";
import { stageConfig } from "./update.ts";

function gateOf(rule: object, fields: object = {}) {
  const service = { name: "api", auth: "off", price: 0, rules: [{ id: "r", ...rule }], ...fields };
  const staged = stageConfig({ services: [service], hold_ms: 100 });
  if (!staged.ok) throw new Error(JSON.stringify(staged.problems));
  const store = new MemoryStore(staged.value.snapshot);
  const gate = new Gate(staged.value, store);
  const decide = (peer: string, hold: string | null, now_ms: number) =>
    gate.decide({ host: "", path: "/", peer, token: null, hold }, now_ms);
  return { gate, store, service, decide };
}

test("an admission that has ended is no longer outstanding, though it is remembered (G4)", () => {
  const { gate, store, decide } = gateOf({ requests: 9, per: "1d" });
  decide("192.0.2.1", "a", 0);
  decide("192.0.2.1", "b", 0);
  gate.end("a", "committed", 1);
  expect(store.outstanding()).toEqual(["b"]);
  expect(gate.end("a", "cancelled", 2)).toEqual({ ended: "already", was: "committed" });
});

test("of two that expire at one time the first held goes first: its bucket is the one above a lowered bound (G4, G8)", () => {
  const { gate, store, service, decide } = gateOf({ requests: 9, per: "1d" });
  decide("192.0.2.1", "first", 0);
  decide("192.0.3.1", "second", 0);
  expect(gate.update({ services: [{ ...service, max_entries: 1 }], hold_ms: 100 }, 1).published).toBe(true);
  expect(store.sizeOf("api")).toBe(2);
  store.moveOn(100);
  expect([store.sizeOf("api"), store.state().evictions.lossy]).toEqual([1, 1]);
  // The second client's bucket is left, and still lacks its token.
  expect(decide("192.0.3.1", null, 100).levels[0]!.tokens).toBe(7);
});

test("a bucket of numbers that doubles cannot hold gives exactly its burst (§2, G4)", () => {
  const { decide } = gateOf({ requests: 1, per: "1000000d", burst: 60 });
  const verdicts = Array.from({ length: 61 }, () => decide("192.0.2.1", null, 0).verdict);
  expect(verdicts.filter((verdict) => verdict === "allowed")).toHaveLength(60);
  expect(decide("192.0.2.1", null, 0)).toMatchObject({
    verdict: "denied",
    retry_after_ms: 86_400_000_000_000,
  });
});

test("a bucket that is full at an update keeps its tokens exactly (G8)", () => {
  const { gate, service, decide } = gateOf({ requests: 1, per: "2ms", burst: 2 });
  decide("192.0.2.1", null, 0);
  const rules = [{ id: "r", requests: 1, per: "2ms", burst: 3 }];
  expect(gate.update({ services: [{ ...service, rules }], hold_ms: 100 }, 10).published).toBe(true);
  expect(decide("192.0.2.1", null, 10)).toMatchObject({ verdict: "allowed", levels: [{ balance: 1 }] });
});
