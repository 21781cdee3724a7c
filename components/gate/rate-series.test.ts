import { expect, test } from "vitest";
import type { GateState } from "../../contract/gate-admin.ts";
import { ratesOf, withLook } from "./rate-series.ts";

const look = (now_ms: number, allowed: number, denied: number, started_ms = 0): GateState => ({
  ...{ now_ms, started_ms, version: 1, published_ms: 0, store: "memory", ready: true, log: null },
  refusals: [],
  updates: { published: 0, refused: 0 },
  services: [
    {
      ...{
        name: "__proto__",
        config: {} as never,
        entries: 0,
        max_entries: 1,
        ledger: null,
        evictions: null,
      },
      ...{ denied: { rate: 0, capacity: 0, client: 0, unavailable: 0 }, unchecked: 0 },
      rules: [{ id: "r", path: null, requests: 1, per: "1s", burst: 1, allowed, denied }],
    },
  ],
});

test("rates are differences over the time between two looks", () => {
  const looks = [look(1000, 0, 0), look(3000, 10, 4)];
  expect(ratesOf(looks, "__proto__", "r")).toEqual([{ at_ms: 3000, allowed: 5, denied: 2 }]);
  expect(ratesOf(looks, "other", "r")).toEqual([]);
});

test("a gate that started anew begins a new series: its counts went back", () => {
  const looks = withLook([look(1000, 100, 0)], look(3000, 1, 0, 2000));
  expect(looks).toHaveLength(1);
});

test("the same look twice is one", () => {
  const one = withLook([], look(1000, 1, 0));
  expect(withLook(one, look(1000, 1, 0))).toBe(one);
});
