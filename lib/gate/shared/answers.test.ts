import { expect, test } from "vitest";
import type { Counted, Founded } from "../store.ts";
import { stageConfig } from "../update.ts";
import { clientFromText, clientText } from "./client-text.ts";
import { type Connection, StoreUnavailable } from "./connection.ts";
import { levelFrom, unknownRule } from "./level.ts";
import { joinSharedStore, refuseForgetful, SharedConfigDiffers } from "./open-shared-store.ts";
import type { SharedEvents } from "./shared-store.ts";

// What a server may answer, be it one that has lost something or one that others have written to; no server is needed.

const CONFIG = {
  services: [
    { name: "api", auth: "off", price: 0, rules: [{ id: "r", path: "^/", requests: 5, per: "1d" }] },
    { name: "two", auth: "off", price: 0, rules: [{ id: "r", path: "^/2", requests: 5, per: "1d" }] },
  ],
};
function snapshotOf(config: unknown = CONFIG) {
  const staged = stageConfig(config);
  if (!staged.ok) throw new Error(JSON.stringify(staged.problems));
  return staged.value.snapshot;
}
const snapshot = snapshotOf();
const [service] = snapshot.services;
const demand = {
  ...{ service: service!, rules: service!.rules, client: { kind: "ip", value: "a" } as const, now_ms: 7 },
  ...{ hold: null, hold_ms: 100, freebie: false },
};
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A server that answers from a list, and what it was asked. */
class Scripted {
  readonly asked: string[][] = [];
  isReady = true;
  isOpen = true;
  live: (string | null)[] = [];
  readonly #answers: string[][];
  constructor(...answers: string[][]) {
    this.#answers = answers;
  }
  async run(script: string, _key: string, args: readonly string[]): Promise<unknown> {
    this.asked.push([script, ...args]);
    return this.#answers.shift()!;
  }
  async call(...command: string[]): Promise<unknown> {
    this.asked.push(command);
    return this.live;
  }
  close(): void {
    this.isOpen = false;
  }
  answer(...answers: string[][]): void {
    this.#answers.push(...answers);
  }
}
const FOUNDED = ["1", "3", "0123abcd:1"];

/** A store that was the first on a server, as version 3, at time 5. */
async function founded(events: SharedEvents = {}) {
  const server = new Scripted(FOUNDED);
  const place = { connection: server as unknown as Connection, key: "{k}" };
  const reports: string[] = [];
  const store = await joinSharedStore(place, snapshot, 5, 3, {
    report: (message) => void reports.push(message),
    ...events,
  });
  server.asked.length = 0;
  return { server, store, reports, place };
}
function observed(store: Awaited<ReturnType<typeof founded>>["store"]): Founded[] {
  const told: Founded[] = [];
  store.observe({ founded: (one) => void told.push(one), counted: () => {} });
  return told;
}

test("a credential and a network of the same spelling are two fields of the store, and come back as they were (G3)", () => {
  const clients = [
    { kind: "token", value: "192.0.2.0/24" },
    { kind: "ip", value: "192.0.2.0/24" },
    { kind: "ip", value: "st" },
    { kind: "token", value: "" },
  ] as const;
  expect(clients.map(clientText)).toEqual(["t192.0.2.0/24", "i192.0.2.0/24", "ist", "t"]);
  expect(clients.map(clientText).map(clientFromText)).toEqual(clients);
});

test("a rule that another process has just published is known by its name and the limits that are told (G8)", () => {
  expect(unknownRule("new")).toMatchObject({ id: "new", index: 0, pattern: "", requests: 1 });
  expect(unknownRule("new").fits("")).toBe(false);
  const level = levelFrom("25 10 14 2 10 3 new rule", (id) => unknownRule(id!));
  expect(level.rule).toMatchObject({ id: "new rule", index: 14, requests: 2, per_ms: 10, burst: 3 });
  expect([level.balance, level.next_ms]).toEqual([2.5, 3]);
});

test.each(["", "x1 2", "1 2 x", "1"])("what is no word of a bucket is not read as one: %j", (shown) => {
  expect(() => levelFrom(shown, (id) => unknownRule(id!))).toThrow(TypeError);
});

test("who founds a store reads nothing back, and tells it once somebody listens (G11, G12)", async () => {
  const { store, server } = await founded();
  expect(server.asked).toEqual([]);
  expect(store.version).toBe(3);
  expect(observed(store)).toEqual([{ snapshot, version: 3, time_ms: 5, order: "0123abcd:1" }]);
  expect(observed(store)).toEqual([]);
});

test("who joins a store has founded nothing, and goes by the version that is live (G8, G12)", async () => {
  const server = new Scripted(["0", "4"]);
  server.live = ["4", JSON.stringify(snapshot.config)];
  const place = { connection: server as unknown as Connection, key: "{k}" };
  const store = await joinSharedStore(place, snapshot, 5);
  expect(store.version).toBe(4);
  expect(observed(store)).toEqual([]);
  server.answer(["0", "4"]);
  server.live = ["4", "{}"];
  const other = joinSharedStore(place, snapshot, 5);
  await expect(other).rejects.toThrow(SharedConfigDiffers);
  await expect(other).rejects.toThrow(
    "another configuration is live on the shared store, as version 4; start with that one and publish this one from there",
  );
  await expect(other).rejects.toMatchObject({ version: 4, config: {} });
});

test.each([[[null, null]], [["4", null]], [[null, "{}"]]])(
  "a server that has lost a part of its live version is not joined: %j",
  async (live) => {
    const server = new Scripted(["0", "4"]);
    server.live = live;
    const joining = joinSharedStore({ connection: server as unknown as Connection, key: "{k}" }, snapshot, 0);
    await expect(joining).rejects.toThrow(StoreUnavailable);
    await expect(joining).rejects.toThrow("no configuration is live there");
  },
);

test("as many rules of a service as a script takes are published, and one more is refused in words", async () => {
  const of = (count: number) =>
    snapshotOf({
      services: [
        {
          ...{ name: "api", auth: "off", price: 0 },
          rules: Array.from({ length: count }, (_, at) => ({ id: `r${at}`, requests: 1, per: "1s" })),
        },
      ],
    });
  const { store, server } = await founded();
  server.answer(["1", "4", "0123abcd:2"]);
  expect(await store.publish(of(1000), 0, 3)).toStrictEqual({
    ...{ published: true, version: 4, order: "0123abcd:2" },
  });
  await expect(store.publish(of(1001), 0, 4)).rejects.toThrow(
    'service "api" has 1001 rules; a shared store takes 1000',
  );
});

test("an update that another one was quicker than has no place in the store's order (G8, G12)", async () => {
  const { store, server } = await founded();
  server.answer(["0", "3"]);
  expect(await store.publish(snapshot, 0, 2)).toStrictEqual({ published: false, version: 3 });
});

test("an answer that no script gives is none: the request is denied, or allowed where its service says so (G12)", async () => {
  const { store, server } = await founded();
  server.answer(["what", "3", "0123abcd:2", "0", ""]);
  expect(await store.admit(demand)).toEqual({
    ...{ ok: false, reason: "unavailable", lacking: [], retry_after_ms: null, levels: [] },
  });
  const kind = snapshotOf({ services: [{ ...CONFIG.services[0], on_unavailable: "allow" }] }).services[0]!;
  server.answer(["what", "3", "0123abcd:2", "0", ""]);
  expect(await store.admit({ ...demand, service: kind })).toEqual({ ok: true, levels: [], unchecked: true });
});

test("a server that lost everything is told the live version again, and who listens later hears of it (G12)", async () => {
  const { store, server, reports } = await founded();
  const told = observed(store);
  server.answer(["lost"], ["1", "3", "4567cdef:1"], ["ok", "3", "4567cdef:2", "0", "", "4 1"]);
  expect(await store.admit(demand)).toMatchObject({ ok: true, order: "4567cdef:2" });
  expect(told.map(({ time_ms, order }) => [time_ms, order])).toEqual([
    [5, "0123abcd:1"],
    [7, "4567cdef:1"],
  ]);
  expect(server.asked.map(([script]) => script)).toEqual(["admit", "publish", "admit"]);
  expect(server.asked[1]!.slice(0, 4)).toEqual(["publish", "7", "0", "3"]);
  expect(reports).toEqual([
    "the shared store had lost everything: all buckets are full; version 3 is live again",
  ]);
});

test("what was founded anew before anybody listened is told once somebody does, in order (G11, G12)", async () => {
  const { store, server } = await founded();
  server.answer(["lost"], ["1", "3", "4567cdef:1"], ["unknown", "4567cdef:2"]);
  expect(await store.end("a", "committed", 9)).toEqual({ ended: "unknown", order: "4567cdef:2" });
  expect(observed(store).map(({ time_ms, order }) => [time_ms, order])).toEqual([
    [5, "0123abcd:1"],
    [9, "4567cdef:1"],
  ]);
});

test("a server that lost a part admits nothing, and an operator hears why (G6, G12)", async () => {
  const { store, server, reports } = await founded();
  server.answer(["lost"], ["0", "3"], ["lost"], ["lost"], ["0", "3"], ["lost"]);
  expect(await store.admit(demand)).toMatchObject({ ok: false, reason: "unavailable" });
  await expect(store.counts(0)).rejects.toThrow("the server has lost a part of what it held");
  const told = "the shared store has lost a part of what it held: nothing is admitted until it is emptied";
  expect(reports).toEqual([told, told]);
  // What another process had told the server already was not founded here.
  expect(observed(store)).toHaveLength(1);
});

test("free requests are not counted on a server that has lost what it held (G7, G12)", async () => {
  const { store, server } = await founded();
  const places: string[] = [];
  server.answer(["lost"], ["2", "0123abcd:9"]);
  const read = () => store.freebies.read("api", demand.client, (order) => void places.push(order));
  await expect(read()).rejects.toThrow(StoreUnavailable);
  server.answer(["lost"]);
  expect(await read()).toBe(2);
  await expect(read()).rejects.toThrow("the server has lost what it held");
  server.answer(["1", "0123abcd:10"]);
  expect(await store.freebies.count("api", demand.client, 1)).toBe(true);
  expect(places).toEqual(["0123abcd:9"]);
});

test("a server that fell back is told the live version from the one it has, and an operator hears of it (G8, G12)", async () => {
  const { store, server, reports } = await founded();
  server.answer(["2", "0123abcd:2", ""], ["1", "3", "0123abcd:3"]);
  await store.counts(8);
  await settle();
  expect(server.asked[1]!.slice(0, 4)).toEqual(["publish", "8", "2", "3"]);
  expect(reports).toEqual(["the shared store had lost what came after version 2; version 3 is live again"]);
  expect(observed(store).map(({ order }) => order)).toEqual(["0123abcd:1", "0123abcd:3"]);
});

test("a newer version that cannot be taken over is told with every problem, and the own one stays (G8)", async () => {
  const { store, server, reports } = await founded();
  server.live = ["5", JSON.stringify({ services: [{ ...CONFIG.services[0], price: -1, auth: "?" }] })];
  server.answer(["5", "0123abcd:2", ""], ["5", "0123abcd:2", ""]);
  await store.counts(8);
  await settle();
  expect(store.version).toBe(3);
  expect(reports).toHaveLength(1);
  expect(reports[0]).toMatch(
    /^version 5 is live on the shared store and cannot be taken over: services\[0\]\.\S+ .+; services\[0\]\.\S+ .+$/,
  );
  // It is tried again with the next answer.
  await store.counts(9);
  await settle();
  expect(reports).toHaveLength(2);
});

test("a newer version is taken over once, however many answers tell of it meanwhile (G8)", async () => {
  const followed: number[] = [];
  const { store, server } = await founded({ onPublished: (_, version) => void followed.push(version) });
  server.live = ["4", JSON.stringify(snapshot.config)];
  server.answer(["4", "0123abcd:2", ""], ["4", "0123abcd:2", ""], ["4", "0123abcd:2", ""]);
  await Promise.all([store.counts(8), store.counts(8)]);
  await settle();
  await store.counts(9);
  expect([store.version, followed]).toEqual([4, [4]]);
  expect(server.asked.filter(([command]) => command === "HMGET")).toHaveLength(1);
});

test("an end whose service is not known here tells what the server says of its rules (G4, G8)", async () => {
  const { store, server } = await founded();
  server.answer(["cancelled", "0123abcd:2", "1", "other", "tabc", "25 10 0 2 10 3 gone"]);
  const ended = await store.end("a", "cancelled", 9);
  expect(ended).toMatchObject({
    ...{ ended: "cancelled", order: "0123abcd:2" },
    freebie: { service: "other", client: { kind: "token", value: "abc" } },
    levels: [{ balance: 2.5, rule: { id: "gone", requests: 2 } }],
  });
  server.answer(["committed", "0123abcd:3", "", "api", "iabc", "5 86400000 0 5 86400000 5 r"]);
  expect(await store.end("b", "committed", 9)).toMatchObject({
    freebie: null,
    levels: [{ rule: { id: "r", pattern: "^/" } }],
  });
  server.answer(["committed", "0123abcd:4", "", "two", "iabc", "5 86400000 0 5 86400000 5 r"]);
  expect(await store.end("c", "committed", 9)).toMatchObject({ levels: [{ rule: { pattern: "^/2" } }] });
});

test("what a script is asked is told in full, and what it answers too (G4, G12)", async () => {
  const { store, server } = await founded();
  server.answer(["ok", "3", "0123abcd:2", "0", "", "4 1"], ["ok", "3", "0123abcd:3", "0", "", "3 1"]);
  expect(await store.admit(demand)).toEqual({
    ...{ order: "0123abcd:2", ok: true, unchecked: false },
    levels: [expect.objectContaining({ balance: 4 })],
  });
  await store.admit({ ...demand, hold: "a", freebie: true });
  expect(server.asked).toEqual([
    ["admit", "7", "3", "api", "ia", "", "100", "", "r"],
    ["admit", "7", "3", "api", "ia", "a", "100", "1", "r"],
  ]);
});

test("where no rule matches the server is asked only to hold a free request (G4, G7, G12)", async () => {
  const { store, server } = await founded();
  const bare = { ...demand, rules: [] };
  const nothing = { ok: true, levels: [], unchecked: false };
  for (const fields of [{}, { hold: "a" }, { freebie: true }])
    expect(await store.admit({ ...bare, ...fields })).toEqual(nothing);
  expect(server.asked).toEqual([]);
  server.answer(["ok", "3", "0123abcd:2", "0", ""]);
  await store.admit({ ...bare, hold: "a", freebie: true });
  expect(server.asked).toHaveLength(1);
});

test("an update that was overtaken before its answer came is not gone back to (G8, G12)", async () => {
  const { store, server } = await founded();
  server.answer(["1", "2", "0123abcd:2"]);
  expect(await store.publish(snapshot, 0, 1)).toMatchObject({ published: true, version: 2 });
  await settle();
  expect(store.version).toBe(3);
  expect(server.asked.map(([script]) => script)).toEqual(["publish"]);
});

test("an update that is refused for a newer version makes that one known (G8, G12)", async () => {
  const { store, server, reports } = await founded();
  server.live = ["5", JSON.stringify(snapshot.config)];
  server.answer(["0", "5"]);
  expect(await store.publish(snapshot, 0, 3)).toMatchObject({ published: false, version: 5 });
  await settle();
  expect(store.version).toBe(5);
  // That nobody is there to go over to it is no failure.
  expect(reports).toEqual([]);
});

test("counts are told to whoever listens, with what time has moved (G10, G11)", async () => {
  const { store, server } = await founded();
  const told: Counted[] = [];
  server.answer(["3", "0123abcd:2", "1", "api", "1", "2", "3", "4", "5", "6", "7", "8"]);
  server.answer(["3", "0123abcd:2", ""], ["3", "0123abcd:3", ""]);
  await store.counts(6);
  store.observe({ founded: () => {}, counted: (counted) => void told.push(counted) });
  await store.counts(7);
  server.answer(["3", "0123abcd:4", "1", "api", "1", "2", "3", "4", "5", "6", "7", "8"]);
  await store.counts(8);
  const counts = await store.counts(9);
  expect(told.map(({ time_ms, order, moved }) => [time_ms, order, moved])).toEqual([
    [7, "0123abcd:2", false],
    [8, "0123abcd:3", false],
    [9, "0123abcd:4", true],
  ]);
  expect(told[2]!.counts).toBe(counts);
  expect(counts.get("api")).toEqual({
    ...{ buckets: 1, evictions: { full: 7, lossy: 8 } },
    ledger: { reserved: 2, committed: 3, cancelled: 4, expired: 5, outstanding: 6 },
  });
  expect(server.asked[0]).toEqual(["count", "6"]);
});

test("a store whose connection does not stand is not ready, and closes with it (G12)", async () => {
  const { store, server } = await founded();
  expect(store.unready()).toBeNull();
  server.isReady = false;
  expect(store.unready()).toBe("the shared store cannot be reached");
  store.close();
  expect(server.isOpen).toBe(false);
});

test.each([
  ["maxmemory:1073741824\r\nmaxmemory_policy:allkeys-lru", "allkeys-lru"],
  ["used_memory:5\r\nmaxmemory:1\r\nmaxmemory_policy:allkeys-random\r\n", "allkeys-random"],
  ["maxmemory:0\r\nmaxmemory_policy:allkeys-lru", null],
  ["maxmemory:1\r\nmaxmemory_policy:noeviction", null],
  ["maxmemory:1\r\nmaxmemory_policy:volatile-lru", null],
  ["maxmemory:1", null],
])(
  "whether a server drops keys when memory runs short is seen from what it says: %j (G6)",
  (info, policy) => {
    const refuse = () => refuseForgetful(info);
    if (policy === null) expect(refuse).not.toThrow();
    else
      expect(refuse).toThrow(
        `the server drops keys when memory runs short (maxmemory-policy ${policy}); expected noeviction`,
      );
  },
);

test("a newer version that is gone again when it is looked at is not taken over (G8)", async () => {
  const followed: number[] = [];
  const { store, server } = await founded({ onPublished: (_, version) => void followed.push(version) });
  for (const version of ["3", "2"]) {
    server.live = [version, JSON.stringify(snapshot.config)];
    server.answer(["4", "0123abcd:2", ""]);
    await store.counts(8);
    await settle();
  }
  expect(server.asked.filter(([command]) => command === "HMGET")).toHaveLength(2);
  expect([store.version, followed]).toEqual([3, []]);
});

test("nobody need listen: what was lost is told again, and what is newer is followed or is not (G8, G12)", async () => {
  const server = new Scripted(FOUNDED, ["lost"], ["1", "3", "4567cdef:1"], ["unknown", "4567cdef:2"]);
  const place = { connection: server as unknown as Connection, key: "{k}" };
  const store = await joinSharedStore(place, snapshot, 5, 3);
  expect(await store.end("a", "committed", 9)).toMatchObject({ ended: "unknown" });
  for (const [version, config] of [
    ["4", snapshot.config],
    ["5", {}],
  ] as const) {
    server.live = [version, JSON.stringify(config)];
    server.answer([version, "4567cdef:3", ""]);
    await store.counts(9);
    await settle();
  }
  expect(store.version).toBe(4);
  server.answer(["lost"], ["0", "4"], ["lost"]);
  await expect(store.counts(9)).rejects.toThrow("lost a part");
});
