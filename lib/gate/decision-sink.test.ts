import { expect, test } from "vitest";
import type { GateRequest } from "./decision.ts";
import type { DecisionEntry, DecisionSink, EndEntry, PublishEntry, RefusalEntry } from "./decision-sink.ts";
import { type FreebieStore, MemoryFreebies } from "./freebies.ts";
import { Gate } from "./gate.ts";
import { MemoryStore } from "./memory-store.ts";
import { stageConfig } from "./update.ts";

class Told implements DecisionSink {
  readonly all: (DecisionEntry | EndEntry | PublishEntry)[] = [];
  append = (entry: DecisionEntry) => void this.all.push(entry);
  end = (entry: EndEntry) => void this.all.push(entry);
  publish = (entry: PublishEntry) => void this.all.push(entry);
  readonly refusals: RefusalEntry[] = [];
  refuse = (entry: RefusalEntry) => void this.refusals.push(entry);
  tally = () => {
    throw new Error("nobody shares this store");
  };
  get decisions() {
    return this.all.filter((entry): entry is DecisionEntry => "verdict" in entry);
  }
}

const config = (auth: unknown, requests = 2) => ({
  services: [{ name: "api", path: "^/", auth, price: 5, rules: [{ id: "r", requests, per: "1d" }] }],
});
const request = (rest: Partial<GateRequest> = {}): GateRequest => ({
  host: "",
  path: "/x?secret",
  peer: "192.0.2.1",
  token: null,
  hold: null,
  ...rest,
});

function gateWith(auth: unknown, freebies: FreebieStore = new MemoryFreebies()) {
  const staged = stageConfig(config(auth));
  if (!staged.ok) throw new Error("refused");
  const told = new Told();
  return { told, gate: new Gate(staged.value, new MemoryStore(staged.value.snapshot), freebies, 1, told) };
}

test("every decision, end and publish is told once, numbered without a gap", () => {
  const { gate, told } = gateWith("off");
  gate.decide(request({ hold: "h" }), 1);
  gate.end("h", "cancelled", 2);
  gate.end("h", "cancelled", 3);
  gate.decide(request(), 4);
  gate.update(config("off", 1), 5);
  gate.decide(request(), 6);
  expect(told.all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(told.all.map(({ time_ms }) => time_ms)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(told.decisions.map(({ began_seq }) => began_seq)).toEqual([1, 4, 6]);
  expect(told.all[2]).toMatchObject({ hold: "h", ended: "cancelled", was: null });
  expect(told.all[2]).not.toHaveProperty("freebie_returned");
  expect(told.all[3]).toMatchObject({ hold: "h", ended: "already", was: "cancelled", levels: [] });
  expect(told.decisions[2]).toMatchObject({ verdict: "allowed", version: 2, credential: "none" });
  expect(told.decisions.map(({ freebie }) => freebie)).toEqual(["none", "none", "none"]);
  expect(told.decisions[2]!.levels.map(({ balance }) => balance)).toEqual([0]);
});

test("what is told of a decision is what it was about: service, rules, credential (G11)", () => {
  const { gate, told } = gateWith("on");
  for (let at = 0; at < 3; at += 1) gate.decide(request({ token: "t" }), at);
  gate.decide(request({ path: "/" }), 3);
  const bare = stageConfig({ services: [{ ...config("off").services[0]!, path: "^/other" }] });
  if (!bare.ok) throw new Error("refused");
  gate.publish(bare.value, 4);
  gate.decide(request(), 5);
  expect(
    told.decisions.map(({ service, rules, denied_by, credential }) => [
      service,
      ...[rules, denied_by, credential],
    ]),
  ).toEqual([
    ["api", ["r"], [], "valid"],
    ["api", ["r"], [], "valid"],
    ["api", ["r"], ["r"], "valid"],
    ["api", ["r"], [], "none"],
    [null, [], [], "none"],
  ]);
  expect(told.decisions[4]).toMatchObject({ verdict: "unmatched", client: null });
});

test("a store that throws leaves no gap in the numbers", () => {
  const { gate, told } = gateWith("off");
  gate.decide(request({ hold: "h" }), 1);
  expect(() => gate.decide(request({ hold: "h" }), 1)).toThrow("in use");
  gate.decide(request(), 1);
  expect(told.all.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test("a refused update is told with its reason and has no number: it changed nothing (G8, G11)", () => {
  const { gate, told } = gateWith("off");
  const bad = { services: [] };
  gate.update(bad, 7);
  gate.update(config("off"), 8, 9);
  gate.stage(bad, 9);
  expect(told.all).toHaveLength(1);
  const common = { seq: 1, version: 1 };
  expect(told.refusals).toEqual([
    { ...common, time_ms: 7, why: "invalid", from: 1, config: bad, problems: [expect.anything()] },
    {
      ...{ ...common, time_ms: 8, why: "outdated", from: 9, config: gate.config },
      problems: [{ file: "config", path: "", message: "version 9 is no longer live; expected 1" }],
    },
    { ...common, time_ms: 9, why: "invalid", from: null, config: bad, problems: [expect.anything()] },
  ]);
  expect(told.refusals[0]!.problems[0]!.path).toBe("services");
  expect(gate.updates).toEqual({ published: 0, refused: 3 });
});

test("a request without a token tells the client by its address, also where it is challenged or invalid", () => {
  const { gate, told } = gateWith("on");
  gate.decide(request(), 1);
  gate.decide(request({ peer: "nobody" }), 2);
  gate.decide(request({ token: "t" }), 3);
  expect(told.decisions.map(({ client, verdict }) => [client?.kind ?? null, verdict])).toEqual([
    ["ip", "challenged"],
    [null, "challenged"],
    ["token", "allowed"],
  ]);
});

test("freebies tell their fate and how many were used, each failure too (G7)", () => {
  class Failing extends MemoryFreebies {
    fails: "read" | "count" | null = null;
    override read(...args: Parameters<MemoryFreebies["read"]>): number {
      if (this.fails === "read") throw new Error("unread");
      return super.read(...args);
    }
    override count(...args: Parameters<MemoryFreebies["count"]>): boolean {
      if (this.fails === "count") throw new Error("uncounted");
      return super.count(...args);
    }
  }
  const freebies = new Failing();
  const { gate, told } = gateWith({ freebie: 1 }, freebies);
  freebies.fails = "read";
  gate.decide(request(), 1);
  freebies.fails = "count";
  gate.decide(request(), 2);
  freebies.fails = null;
  gate.decide(request(), 3);
  gate.decide(request(), 4);
  expect(
    told.decisions.map(({ freebie, freebies_used, verdict }) => [freebie, freebies_used, verdict]),
  ).toEqual([
    ["unread", null, "error"],
    ["uncounted", 0, "error"],
    ["counted", 0, "allowed"],
    ["exhausted", 1, "challenged"],
  ]);
  expect(told.decisions.map(({ settled }) => settled?.seq ?? null)).toEqual([null, 4, 6, null]);
  expect(told.decisions.map(({ began_seq }) => began_seq)).toEqual([1, 2, 4, 6]);
});

test("a request that came earlier tells when: by its snapshot it is decided (G8, G11)", async () => {
  const { gate, told } = gateWith({ freebie: 9 });
  const start = gate.start();
  gate.decide(request(), 1);
  gate.decide(request(), 2, start);
  gate.decide(request({ token: "t" }), 3, start);
  await gate.decideInOrder(request({ token: "t" }), () => 4, start);
  gate.decide(request({ peer: "nobody" }), 5, start);
  await gate.decideInOrder(request({ peer: "nobody" }), () => 6, start);
  expect(told.decisions.map(({ began_seq }) => began_seq)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(told.decisions.at(-1)!.seq).toBeGreaterThan(6);
});

test("what happens while a freebie is being counted has its number in between", async () => {
  const slow = Promise.withResolvers<boolean>();
  const freebies: FreebieStore = { read: () => 0, count: () => slow.promise, giveBack: () => undefined };
  const { gate, told } = gateWith({ freebie: 1 }, freebies);
  let now_ms = 10;
  const first = gate.decideInOrder(request(), () => now_ms);
  await Promise.resolve();
  now_ms = 20;
  gate.decide(request({ token: "t" }), now_ms);
  slow.resolve(true);
  await first;
  expect(told.all.map(({ seq }) => seq)).toEqual([1, 3, 2]);
  expect(told.all[2]).toMatchObject({ time_ms: 10, settled: { seq: 4, time_ms: 20 } });
});

test("a denied request spends no freebie, and one whose last was taken meanwhile says so (G7)", () => {
  const { gate, told } = gateWith({ freebie: 9 });
  for (let at = 0; at < 3; at += 1) gate.decide(request(), at);
  expect(told.decisions.map(({ freebie }) => freebie)).toEqual(["counted", "counted", "unspent"]);
  const taken: FreebieStore = { read: () => 0, count: () => false, giveBack: () => undefined };
  const raced = gateWith({ freebie: 1 }, taken);
  raced.gate.decide(request(), 0);
  expect(raced.told.decisions).toMatchObject([
    { freebie: "taken", verdict: "challenged", settled: { seq: 3 } },
  ]);
});

test("what is staged well is no refusal, and what is refused names its file (G8)", () => {
  const { gate } = gateWith("off");
  expect(gate.stage(config("off"), 1).ok).toBe(true);
  expect(gate.updates.refused).toBe(0);
  expect(gate.stage({ services: [] }, 1)).toMatchObject({ ok: false, problems: [{ file: "config" }] });
  expect(gate.updates.refused).toBe(1);
});
