import { expect, test } from "vitest";
import { Recent } from "./recent.ts";

test("never more is remembered than the bound, and what was asked for lately stays", () => {
  const recent = new Recent<number>(8);
  for (let at = 0; at < 100; at += 1) {
    recent.set(`k${at}`, at);
    recent.get("k0");
    expect(recent.size).toBeLessThanOrEqual(8);
  }
  expect(recent.get("k0")).toBe(0);
  expect(recent.get("k99")).toBe(99);
  expect(recent.get("k50")).toBeUndefined();
  expect(recent.size).toBeGreaterThanOrEqual(4);
});

test("what is not remembered is not there, and a bound of one still remembers one", () => {
  const recent = new Recent<string>(1);
  expect(recent.get("a")).toBeUndefined();
  recent.set("a", "1");
  expect([recent.get("a"), recent.size]).toEqual(["1", 1]);
  recent.set("b", "2");
  expect(recent.get("b")).toBe("2");
});
