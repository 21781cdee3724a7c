import { expect, test } from "vitest";
import type { ClientKey } from "./client.ts";
import type { GateRequest } from "./decision.ts";
import { type FreebieStore, MemoryFreebies } from "./freebies.ts";
import { Gate } from "./gate.ts";
import { MemoryStore } from "./memory-store.ts";
import { stageConfig } from "./update.ts";

const rule = (fields: object = {}) => ({ id: "r", requests: 2, per: "1d", ...fields });
const service = (fields: object = {}) => ({ name: "api", auth: "off", price: 0, rules: [rule()], ...fields });
const request = (fields: Partial<GateRequest> = {}): GateRequest => ({
  host: "",
  path: "/x",
  peer: "192.0.2.7",
  token: null,
  hold: null,
  ...fields,
});

function gateOf(config: unknown, freebies: FreebieStore = new MemoryFreebies()) {
  const staged = stageConfig(config);
  if (!staged.ok) throw new Error(JSON.stringify(staged.problems));
  const store = new MemoryStore(staged.value.snapshot);
  return { gate: new Gate(staged.value, store, freebies), store };
}

/** Freebies that answer when they are told to. */
class SlowFreebies implements FreebieStore {
  readonly inner = new MemoryFreebies();
  readonly waiting: { name: string; go: () => void; fail: () => void }[] = [];
  async read(service: string, client: ClientKey): Promise<number> {
    await this.#turn("read");
    return this.inner.read(service, client);
  }
  async count(service: string, client: ClientKey, most: number): Promise<boolean> {
    await this.#turn("count");
    return this.inner.count(service, client, most);
  }
  async giveBack(service: string, client: ClientKey): Promise<void> {
    await this.#turn("giveBack");
    this.inner.giveBack(service, client);
  }
  #turn(name: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ name, go: resolve, fail: () => reject(new Error("down")) });
    });
  }
  /** Lets the first that waits go on, once it is there. */
  async next(end: "go" | "fail" = "go"): Promise<string> {
    await settle();
    const first = this.waiting.shift()!;
    first[end]();
    await settle();
    return first.name;
  }
}
const settle = () => new Promise((resolve) => setImmediate(resolve));
const free = { services: [service({ auth: { freebie: 1 }, price: 5, rules: [rule({ requests: 5 })] })] };

test("two requests of one client: the second waits until the first's freebie is counted (G5, G7)", async () => {
  const slow = new SlowFreebies();
  const { gate, store } = gateOf(free, slow);
  const first = gate.decideInOrder(request(), () => 0);
  const second = gate.decideInOrder(request(), () => 0);
  const other = gate.decideInOrder(request({ peer: "198.51.100.1" }), () => 0);
  await settle();
  // One read each of two clients: nobody waits for another client.
  expect(slow.waiting.map(({ name }) => name)).toEqual(["read", "read"]);
  expect(gate.busyClients).toBe(2);
  expect(await slow.next()).toBe("read");
  expect(store.state().ledger).toMatchObject({ reserved: 1, outstanding: 1 });
  slow.waiting.reverse();
  expect(await slow.next()).toBe("count");
  expect((await first).verdict).toBe("allowed");
  for (let left = 3; left > 0; left -= 1) await slow.next();
  expect((await second).verdict).toBe("challenged");
  expect((await other).verdict).toBe("allowed");
  expect(gate.busyClients).toBe(0);
  expect(store.state().ledger).toEqual({
    reserved: 2,
    committed: 2,
    cancelled: 0,
    expired: 0,
    outstanding: 0,
  });
  expect(store.outstanding()).toEqual([]);
});

test("a freebie store that fails at any step leaves tokens and freebies as they were (G7)", async () => {
  const slow = new SlowFreebies();
  const { gate, store } = gateOf(free, slow);
  const unread = gate.decideInOrder(request({ hold: "a" }), () => 0);
  await slow.next("fail");
  expect(await unread).toMatchObject({ verdict: "error", levels: [] });
  expect(store.state().ledger.reserved).toBe(0);
  const uncounted = gate.decideInOrder(request({ hold: "b" }), () => 0);
  await slow.next();
  await slow.next("fail");
  expect(await uncounted).toMatchObject({ verdict: "error", levels: [{ balance: 5 }] });
  expect(store.state().ledger).toMatchObject({ reserved: 1, cancelled: 1, outstanding: 0 });
  expect(gate.end("b", "cancelled", 0)).toEqual({ ended: "already", was: "cancelled" });
  const held = gate.decideInOrder(request({ hold: "c" }), () => 0);
  await slow.next();
  await slow.next();
  expect(await held).toMatchObject({ verdict: "allowed", levels: [{ balance: 4 }] });
  const back = expect(gate.endLater("c", "cancelled", 0)).rejects.toThrow("down");
  await slow.next("fail");
  await back;
  expect(store.state().ledger).toMatchObject({ reserved: 2, cancelled: 2, outstanding: 0 });
});

test("a store that answers later is refused where an answer is needed at once", () => {
  const { gate } = gateOf(free, new SlowFreebies());
  expect(() => gate.decide(request(), 0)).toThrow(/later/);
});

test("1 000 requests at once of one client admit exactly what is left in both rules (G4, G5)", async () => {
  const { gate, store } = gateOf({
    services: [service({ rules: [rule({ requests: 50 }), rule({ id: "s", requests: 50 })] })],
  });
  const all = await Promise.all(Array.from({ length: 1000 }, () => gate.decideInOrder(request(), () => 0)));
  expect(all.filter(({ verdict }) => verdict === "allowed")).toHaveLength(50);
  expect(all.at(-1)!.levels.map(({ balance }) => balance)).toEqual([0, 0]);
  expect(store.state().ledger).toMatchObject({ reserved: 50, committed: 50 });
  expect(gate.busyClients).toBe(0);
});

test("where no rule matches neither a bucket nor a lock is made (G4)", async () => {
  const { gate, store } = gateOf({
    services: [service({ price: 5, rules: [rule({ path: "^/other" })] })],
  });
  const pending = gate.decideInOrder(request({ hold: "a" }), () => 0);
  expect(gate.busyClients).toBe(0);
  expect((await pending).verdict).toBe("allowed");
  expect(store.sizeOf("api")).toBe(0);
  expect(gate.end("a", "cancelled", 0)).toEqual({ ended: "unknown" });
});

test("a request that waits keeps the snapshot it started with; its tokens come from the buckets that live on (G8)", async () => {
  const slow = new SlowFreebies();
  const { gate, store } = gateOf({ ...free, hold_ms: 1000 }, slow);
  const pending = gate.decideInOrder(request({ hold: "a" }), () => 10);
  await settle();
  gate.update(
    { services: [service({ rules: [rule({ id: "new", requests: 1 }), rule({ requests: 3 })] })], hold_ms: 5 },
    5,
  );
  await slow.next();
  await slow.next();
  expect(await pending).toMatchObject({
    verdict: "allowed",
    version: 1,
    rules: [{ id: "r" }],
    levels: [{ balance: 2 }],
  });
  store.moveOn(1009);
  expect(store.state().ledger.outstanding).toBe(1);
  store.moveOn(1010);
  expect(store.state().ledger.expired).toBe(1);
});

test("an update is refused where it was made from a version that is no longer live (G8)", () => {
  const { gate } = gateOf({ services: [service()] });
  const staged = gate.stage({ services: [service({ price: 1 })] }, 1);
  if (!staged.ok) throw new Error("refused");
  expect(gate.publish(staged.value, 0, 1)).toMatchObject({ published: true, version: 2 });
  expect(gate.publish(staged.value, 0, 1)).toEqual({
    ...{ published: false, version: 2 },
    problems: [{ file: "config", path: "", message: "version 1 is no longer live; expected 2" }],
  });
  expect(gate.publish(staged.value, 0, 2)).toMatchObject({ published: true, version: 3 });
  expect(gate.update({ services: [service({ path: "(?=x)" })] }, 0)).toMatchObject({
    published: false,
    version: 3,
    problems: [{ path: "services[0].path", message: expect.stringContaining("(?=") }],
  });
  expect(gate.updates).toEqual({ published: 2, refused: 2 });
});

test("mutating a staged object, or the configuration that came back, changes nothing (G8)", () => {
  const config = { services: [service()] };
  const { gate } = gateOf({ services: [service()] });
  const staged = gate.stage(config, 1);
  config.services[0]!.rules = [rule({ requests: 99 })];
  if (!staged.ok) throw new Error("refused");
  const published = gate.publish(staged.value, 0);
  if (!published.published) throw new Error("refused");
  expect(published.config.services[0]!.rules[0]!.requests).toBe(2);
  expect(() => Object.assign(published.config.services[0]!, { price: 9 })).toThrow(TypeError);
});

test("an id in use is refused before anything is debited", () => {
  const { gate, store } = gateOf({ services: [service()] });
  gate.decide(request({ hold: "a" }), 0);
  expect(() => gate.decide(request({ hold: "a" }), 0)).toThrow(/in use/);
  expect(store.state().ledger.reserved).toBe(1);
});

test("a credential spelled like a network, or like Object's own names, is a client of its own (G3)", () => {
  const { gate } = gateOf({ services: [service({ auth: "on", rules: [rule({ requests: 1 })] })] });
  const tokens = ["192.0.2.0/24", "__proto__", "constructor", "", "ip:192.0.2.0/24"];
  for (const token of [...tokens, null]) expect(gate.decide(request({ token }), 0).verdict).toBe("allowed");
  for (const token of [...tokens, null]) expect(gate.decide(request({ token }), 0).verdict).toBe("denied");
});

test("buckets never exceed the bound, and memory stays flat over many clients (G6)", () => {
  const { gate, store } = gateOf({
    services: [service({ max_entries: 100, rules: [rule(), rule({ id: "s" })] })],
  });
  for (let client = 0; client < 2000; client += 1) {
    gate.decide(request({ peer: `10.${client >> 8}.${client & 255}.1` }), client);
    if (store.sizeOf("api") > 100) throw new Error("above the bound");
  }
  expect(store.sizeOf("api")).toBe(100);
  expect(store.state().evictions).toEqual({ full: 0, lossy: 2 * 2000 - 100 });
});

test("the latest refused updates are remembered, newest first, without their configurations (G8)", () => {
  const staged = stageConfig({ services: [service({})] });
  if (!staged.ok) throw new Error("refused");
  const gate = new Gate(staged.value);
  expect(gate.refusals).toEqual([]);
  for (let at = 1; at <= 12; at += 1) gate.update({ services: [] }, at, 1);
  gate.update({ services: [service({})] }, 13, 5);
  expect(gate.refusals.map(({ time_ms }) => time_ms)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4]);
  expect(gate.refusals[0]).toEqual({
    ...{ number: 13, time_ms: 13, why: "outdated", from: 5 },
    problems: [{ file: "config", path: "", message: "version 5 is no longer live; expected 1" }],
  });
  expect(gate.updates).toEqual({ published: 0, refused: 13 });
});

test("a request keeps the snapshot it started with, whatever is published before it is decided (G8)", async () => {
  const staged = (more: object) => {
    const found = stageConfig({ services: [service(more)] });
    if (!found.ok) throw new Error("refused");
    return found.value;
  };
  const gate = new Gate(staged({ auth: "off", price: 0 }));
  const asked = { host: "", path: "/", peer: "192.0.2.1", token: null, hold: null };
  const start = gate.start();
  gate.publish(staged({ auth: "on", price: 7 }), 1);
  expect(gate.decide(asked, 2, start)).toMatchObject({ version: 1, verdict: "allowed" });
  expect(await gate.decideInOrder(asked, () => 3, start)).toMatchObject({ version: 1, verdict: "allowed" });
  expect(gate.decide(asked, 4)).toMatchObject({ version: 2, verdict: "challenged" });
  expect(await gate.decideInOrder(asked, () => 5)).toMatchObject({ version: 2, verdict: "challenged" });
});
