import { expect, test } from "vitest";
import { stageConfig } from "../gate/update.ts";
import { configChanges } from "./config-changes.ts";

const rule = (id: string, requests = 1) => ({ id, requests, per: "1s" });
const service = (name: string, rules: object[] = [], more: object = {}) => ({
  name,
  auth: "off",
  price: 0,
  rules,
  ...more,
});

function changes(before: object, after: object) {
  const [old, now] = [before, after].map((config) => {
    const staged = stageConfig(config);
    if (!staged.ok) throw new Error(JSON.stringify(staged.problems));
    return staged.value.config;
  });
  return configChanges(old!, now!).map(({ kind, service: of, rule: id, field, before: was, after: is }) => [
    kind,
    of,
    id,
    field,
    field === null && kind !== "moved" ? null : was,
    field === null && kind !== "moved" ? null : is,
  ]);
}

test("the same is no change, whatever is spelled out", () => {
  expect(
    changes(
      { services: [service("a")] },
      { services: [service("a", [], { challenge: 402 })], hold_ms: 30_000 },
    ),
  ).toEqual([]);
});

test("fields, services and rules that come, go and change", () => {
  const before = { services: [service("a", [rule("x"), rule("y")]), service("b")], trusted_proxies: [] };
  const after = {
    services: [service("a", [rule("x", 2), rule("z")], { host: "^h$" }), service("c")],
    trusted_proxies: ["::1/128"],
  };
  expect(changes(before, after)).toEqual([
    ["changed", null, null, "trusted_proxies", [], ["::1/128"]],
    ["removed", "b", null, null, null, null],
    ["added", "c", null, null, null, null],
    ["changed", "a", null, "host", null, "^h$"],
    ["removed", "a", "y", null, null, null],
    ["added", "a", "z", null, null, null],
    ["changed", "a", "x", "requests", 1, 2],
    ["changed", "a", "x", "burst", 1, 2],
  ]);
});

test("another order of services is a change, since the first that matches serves (G1); what comes between is not", () => {
  const list = (...names: string[]) => ({ services: names.map((name) => service(name)) });
  expect(changes(list("a", "b"), list("b", "a"))).toEqual([
    ["moved", "b", null, null, 1, 0],
    ["moved", "a", null, null, 0, 1],
  ]);
  expect(changes(list("a", "b"), list("a", "c", "b"))).toEqual([["added", "c", null, null, null, null]]);
});

test("a rule named __proto__ is a rule like any other", () => {
  const of = (requests: number) => ({ services: [service("constructor", [rule("__proto__", requests)])] });
  expect(changes(of(1), of(2)).map(([kind, , id]) => [kind, id])).toEqual([
    ["changed", "__proto__"],
    ["changed", "__proto__"],
  ]);
});
