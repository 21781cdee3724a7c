import { readdirSync, readFileSync } from "node:fs";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { gateCaseSchema } from "../../../contract/gate-case.ts";
import { readGateConfig } from "../../../contract/gate-config.ts";
import { replay, replayCase } from "./replay.ts";

function fault(text: string): string | null {
  try {
    RE2JS.compile(text);
    return null;
  } catch (error) {
    return String(error);
  }
}
const tools = {
  accept(config: unknown) {
    const read = readGateConfig(config, { expression: fault, network: () => null });
    return read.ok ? read.value : null;
  },
  matches: (expression: string, text: string) => RE2JS.compile(expression).test(text),
};

const folder = new URL("../../../contract/gate-cases/", import.meta.url);
test.each(readdirSync(folder))("the reference finds what %s says", (file) => {
  const one = gateCaseSchema.parse(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
  const found = JSON.parse(JSON.stringify(replayCase(one.config, one.steps, tools)));
  expect(found).toEqual({ expected: one.expected, ledger: one.ledger, evictions: one.evictions });
});

const CONFIG = {
  services: [{ name: "one", auth: "off", price: 0, rules: [{ id: "r", requests: 1, per: "1s", burst: 9 }] }],
  hold_ms: 10,
};
const request = { op: "request", ip: "192.0.2.1", path: "/", hold: true, as: "l" } as const;

test("a case whose configuration is refused is not played", () => {
  expect(() => replay({ services: [] }, tools)).toThrow("the configuration of the case is refused (G1)");
});

test("a label that is used again stands for the newest admission until that one is forgotten (G4)", () => {
  const { step } = replay(CONFIG, tools);
  step({ ...request, at: 0 });
  step({ op: "commit", at: 1, of: "l" });
  step({ ...request, at: 5 });
  // The first of the two is forgotten at 11.
  expect(step({ op: "cancel", at: 12, of: "l" })).toMatchObject({ ended: "cancelled" });
});

test("an admission whose service is gone ends, gives nothing back, and expires in its ledger (G4, G8)", () => {
  const { step, state } = replay(CONFIG, tools);
  for (const as of ["a", "b", "c"]) step({ ...request, at: 0, as });
  const other = { services: [{ ...CONFIG.services[0], name: "other" }] };
  step({ op: "publish", at: 1, config: other });
  expect(step({ op: "commit", at: 2, of: "a" })).toEqual({ ended: "committed", balances: {} });
  expect(step({ op: "cancel", at: 2, of: "b" })).toEqual({ ended: "cancelled", balances: {} });
  step({ op: "cancel", at: 10, of: "none" });
  expect(state().ledger).toEqual({ reserved: 3, committed: 1, cancelled: 1, expired: 1, outstanding: 0 });
  expect(state().buckets.sizeOf("other")).toBe(0);
});

test("what ends in one service makes room in that one only (G6, G8)", () => {
  const [one] = CONFIG.services;
  const services = (max_entries: number) => [
    { ...one, path: "^/one" },
    { ...one, name: "two", max_entries },
  ];
  const { step, state } = replay({ services: services(2) }, tools);
  step({ ...request, at: 0, as: "a", ip: "192.0.2.1" });
  step({ ...request, at: 0, as: "b", ip: "192.0.3.1" });
  step({ op: "publish", at: 1, config: { services: services(1) } });
  expect(state().buckets.sizeOf("two")).toBe(2);
  step({ op: "commit", at: 2, of: "b" });
  expect(state().buckets.sizeOf("two")).toBe(1);
  expect(state().evictions).toEqual({ full: 0, lossy: 1 });
});

test("a bucket that a refused request found full is full, also where the clock goes back behind that (G4, G6)", () => {
  const rules = [
    { id: "slow", requests: 1, per: "1s", burst: 1 },
    { id: "quick", requests: 1, per: "10ms", burst: 1 },
  ];
  const services = [{ ...CONFIG.services[0], rules, max_entries: 3 }];
  const { step, state } = replay({ services }, tools);
  const one = { ...request, hold: false };
  step({ ...one, at: 0 });
  expect(step({ ...one, at: 20 })).toMatchObject({ verdict: "denied", denied_by: ["slow"] });
  expect(step({ ...one, at: 5, ip: "192.0.3.1" })).toMatchObject({ verdict: "allowed" });
  expect(state().evictions).toEqual({ full: 1, lossy: 0 });
});

test("a cancelled request gives back one freebie, not all (G7)", () => {
  const [one] = CONFIG.services;
  const { step } = replay({ services: [{ ...one, auth: { freebie: 2 }, price: 1 }] }, tools);
  step({ ...request, at: 0, as: "a" });
  step({ ...request, at: 0, as: "b" });
  step({ op: "cancel", at: 1, of: "a" });
  expect(step({ ...request, at: 2, as: "c" })).toMatchObject({ verdict: "allowed" });
  expect(step({ ...request, at: 2, as: "d" })).toEqual({ verdict: "challenged" });
});

test("a bucket's time is that of its last cancel: a clock that then goes back earns it nothing (G4)", () => {
  const { step } = replay({ ...CONFIG, hold_ms: 1000 }, tools);
  step({ ...request, at: 0, as: "a" });
  step({ ...request, at: 0, as: "b" });
  expect(step({ op: "cancel", at: 500, of: "a" })).toEqual({ ended: "cancelled", balances: { r: 8.5 } });
  expect(step({ ...request, at: 100, as: "c" })).toMatchObject({ balances: { r: 7.5 } });
});

test("a request that names no host has an empty one (G1)", () => {
  const named = { ...CONFIG, services: [{ ...CONFIG.services[0], host: "." }] };
  expect(replay(named, tools).step({ ...request, at: 0 })).toEqual({ verdict: "unmatched" });
  const empty = { ...CONFIG, services: [{ ...CONFIG.services[0], host: "^$" }] };
  expect(replay(empty, tools).step({ ...request, at: 0 })).toMatchObject({ verdict: "allowed" });
});
