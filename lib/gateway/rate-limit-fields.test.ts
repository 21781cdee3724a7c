import { expect, test } from "vitest";
import { Gate } from "../gate/gate.ts";
import { MemoryStore } from "../gate/memory-store.ts";
import { stageConfig } from "../gate/update.ts";
import { limitField, policyField, policyName } from "./rate-limit-fields.ts";

function gateWith(rules: object[]) {
  const staged = stageConfig({ services: [{ name: "s", auth: "off", price: 0, rules }] });
  if (!staged.ok) throw new Error(JSON.stringify(staged.problems));
  const gate = new Gate(staged.value, new MemoryStore(staged.value.snapshot));
  return (at: number) => gate.decide({ host: "", path: "/", peer: "192.0.2.1", token: null, hold: null }, at);
}

const policyOf = (rule: object) => policyField(gateWith([{ id: "r", ...rule }])(0).rules);

test.each([
  [{ requests: 100, per: "1m" }, '"r";q=100;w=60'],
  [{ requests: 1000, per: "1h" }, '"r";q=1000;w=3600'],
  [{ requests: 100, per: "250ms" }, '"r";q=400;w=1'],
  [{ requests: 7, per: "1500ms" }, '"r";q=14;w=3'],
  [{ requests: 7, per: "1ms" }, '"r";q=7000;w=1'],
  [{ requests: 10, per: "1s", burst: 50 }, '"r";q=10;w=1;tenantthrottle-burst=50'],
  [{ requests: 10, per: "1s", burst: 10 }, '"r";q=10;w=1'],
  [{ requests: 1_000_000_000_000, per: "1ms" }, '"r";q=999999999999999;w=1'],
])("a policy is in whole seconds and exact (draft §3.1.3): %j", (rule, field) => {
  expect(policyOf(rule)).toBe(field);
});

test.each([
  ["plain", "plain"],
  ["ä", "%C3%A4"],
  ["%C3%A4", "%25C3%25A4"],
  ["a\u202eb", "a%E2%80%AEb"],
  ["😀", "%F0%9F%98%80"],
])("the name of a policy is visible ASCII, and no two ids share one: %s", (id, name) => {
  expect(policyName(id)).toBe(name);
});

test("quotes and backslashes cannot leave the string", () => {
  const decision = gateWith([
    { id: 'a";q=9', requests: 1, per: "1s" },
    { id: "b\\", requests: 1, per: "1s" },
  ])(0);
  expect(policyField(decision.rules)).toBe('"a\\";q=9";q=1;w=1, "b\\\\";q=1;w=1');
});

test("the tightest rule is told: fewest whole tokens, then longest until full, then order (G9)", () => {
  const many = { id: "many", requests: 10, per: "1s" };
  const few = { id: "few", requests: 3, per: "1h" };
  const slow = { id: "slow", requests: 3, per: "1d" };
  const same = { id: "same", requests: 3, per: "1d" };
  const field = (rules: object[]) => {
    const { rules: matched, levels } = gateWith(rules)(0);
    return limitField(matched, levels);
  };
  expect(field([many, few])).toBe('"few";r=2;t=1200');
  expect(field([few, slow, many])).toBe('"slow";r=2;t=28800');
  expect(field([slow, same])).toBe('"slow";r=2;t=28800');
});

test("the time is that until one token more, rounded up, and none where the bucket is full (draft §4.1.2)", () => {
  const decide = gateWith([{ id: "r", requests: 3, per: "1s", burst: 2 }]);
  const fieldAt = (at: number) => {
    const { rules, levels } = decide(at);
    return limitField(rules, levels);
  };
  expect([fieldAt(0), fieldAt(0), fieldAt(0)]).toEqual(['"r";r=1;t=1', '"r";r=0;t=1', '"r";r=0;t=1']);
  const { rules } = decide(0);
  expect(limitField(rules, [])).toBe('"r";r=2');
});
