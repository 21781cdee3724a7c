import { expect, test } from "vitest";
import { MemoryFreebies } from "./freebies.ts";
import { Gate } from "./gate.ts";
import { MemoryStore } from "./memory-store.ts";
import { statementOf } from "./statement.ts";
import { stageConfig } from "./update.ts";

const config = (ids: string[], burst = 3) => ({
  services: [
    {
      ...{ name: "api", path: "^/api", auth: "off", price: 0 },
      rules: ids.map((id) => ({ id, requests: 1, per: "1s", burst })),
    },
    {
      name: "wide",
      path: "^/wide",
      auth: "off",
      price: 0,
      rules: [{ id: "w", requests: 7, per: "1d", burst: 10 ** 9 }],
    },
    { name: "free", auth: { freebie: 2 }, price: 1, rules: [] },
  ],
  hold_ms: 100,
});

function gateOf(ids = ["a", "b"]) {
  const staged = stageConfig(config(ids));
  if (!staged.ok) throw new Error("refused");
  const store = new MemoryStore(staged.value.snapshot);
  const freebies = new MemoryFreebies();
  const gate = new Gate(staged.value, store, freebies);
  const ask = (at: number, path: string, hold: string | null = null) =>
    gate.decide({ host: "", path, peer: "192.0.2.1", token: null, hold }, at);
  const state = (at: number, most = 1000) => statementOf(gate, store, freebies, at, most);
  return { gate, store, ask, state };
}
const client = expect.objectContaining({ kind: "ip", value: "192.0.2.0/24" });

test("what a gate states is all that it knows: buckets as they are kept, admissions, free requests, counts (G11)", () => {
  const { ask, state, gate } = gateOf();
  ask(10, "/api");
  ask(1010, "/api", "held");
  ask(1011, "/wide");
  ask(1012, "/");
  const found = state(1020)!;
  expect(found).toMatchObject({ seq: gate.seq, at: 1020, version: 1, evictions: { full: 0, lossy: 0 } });
  expect(found.config).toBe(gate.config);
  expect(found.ledger).toEqual({ reserved: 3, committed: 2, cancelled: 0, expired: 0, outstanding: 1 });
  const own = { client, num: 2000, den: 1000, last_ms: 1010, used: 2 };
  const wide = { client, rule: "w", den: 86_400_000n, last_ms: 1011, used: 1 };
  expect(found.buckets).toEqual([
    {
      service: "api",
      buckets: [
        { ...own, rule: "a" },
        { ...own, rule: "b" },
      ],
    },
    { service: "wide", buckets: [{ ...wide, num: (10n ** 9n - 1n) * wide.den }] },
    { service: "free", buckets: [] },
  ]);
  expect(found.admissions).toEqual([
    {
      ...{ id: "held", service: "api", client, rules: ["a", "b"], taken: ["a", "b"], gone: [] },
      ...{ freebie: false, hold_ms: 100, due_ms: 1110, was: null },
    },
  ]);
  expect(found.freebies).toEqual([{ service: "free", client, count: 1 }]);
});

test("a bucket that is gone with its rule is stated as gone, and what has ended holds nothing (G8)", () => {
  const { ask, state, gate } = gateOf();
  ask(10, "/api", "first");
  gate.update(config(["b"]), 11);
  expect(state(12)!.admissions).toMatchObject([{ taken: ["b"], gone: ["a"], was: null }]);
  gate.end("first", "cancelled", 13);
  expect(state(13)!.admissions).toMatchObject([{ taken: [], gone: [], was: "cancelled", due_ms: 113 }]);
  expect(state(113)!.admissions).toEqual([]);
});

test("time comes to when it is stated: what is due has expired (G4)", () => {
  const { ask, state } = gateOf();
  ask(10, "/api", "first");
  expect(state(110)).toMatchObject({
    ledger: { expired: 1, outstanding: 0 },
    admissions: [{ was: "expired" }],
  });
});

test("what is stated stays as it was, whatever is done afterwards", () => {
  const { ask, state } = gateOf();
  ask(10, "/api", "first");
  ask(10, "/wide");
  const found = state(10)!;
  const told = () => [
    found.buckets.map(({ buckets }) =>
      buckets.map(({ client: _, num, den, ...rest }) => ({ ...rest, num: `${num}`, den: `${den}` })),
    ),
    found.admissions.map(({ client: _, ...rest }) => rest),
    [found.ledger, found.evictions, found.freebies],
  ];
  const before = structuredClone(told());
  for (const path of ["/api", "/wide", "/"]) ask(2000, path);
  expect(told()).toEqual(before);
});

test("more than is asked for is not stated: buckets, admissions and counts of free requests together", () => {
  const { ask, state, gate, store } = gateOf();
  ask(10, "/api", "first");
  ask(10, "/");
  expect([store.remembered, state(10, 3), state(10, 4)?.seq]).toEqual([1, null, gate.seq]);
  expect(statementOf(gate, store, null, 10, 3)).toMatchObject({ freebies: [] });
});
