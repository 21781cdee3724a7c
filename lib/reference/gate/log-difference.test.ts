import { expect, test } from "vitest";
import { differenceOf } from "./log-difference.ts";

test.each([
  ["version", 1, 2, "G8"],
  ["config", {}, { hold_ms: 1 }, "G8"],
  ["service", "a", "b", "G1"],
  ["client", "ip:1", "ip:2", "G3"],
  ["rules", ["a"], [], "G2"],
  ["verdict", "allowed", "denied", "G4"],
  ["verdict", "allowed", "challenged", "G7"],
  ["verdict", "error", "allowed", "G7"],
  ["verdict", "unmatched", "allowed", "G1"],
  ["verdict", "allowed", "unmatched", "G1"],
  ["reason", "rate", null, "G4"],
  ["reason", "capacity", "rate", "G6"],
  ["reason", null, "capacity", "G6"],
  ["reason", "client", null, "G3"],
  ["reason", "unavailable", null, "G12"],
  ["denied_by", ["a"], [], "G4"],
  ["retry_after_ms", 1, 2, "G4"],
  ["balances", [["a", 1]], [["a", 2]], "G4"],
  ["freebie", "counted", "exhausted", "G7"],
  ["freebies_used", 1, 2, "G7"],
  ["ended", "committed", "held", "G4"],
  ["was", "expired", "committed", "G4"],
  ["reserved", 1, 2, "G4"],
  ["committed", 1, 2, "G4"],
  ["cancelled", 1, 2, "G4"],
  ["expired", 1, 2, "G4"],
  ["outstanding", 1, 2, "G4"],
  ["equation", 1, 2, "G4"],
  ["full", 1, 2, "G6"],
  ["lossy", 1, 2, "G6"],
  ["entries", [["one", 1]], [["one", 2]], "G6"],
])("another %s (%j, not %j) is a difference under %s's clause", (field, logged, expected, clause) => {
  expect(differenceOf(field, logged, expected, 7)).toEqual({ seq: 7, clause, field, logged, expected });
});

test("only a verdict or a reason is told under another clause by what it says", () => {
  expect(differenceOf("service", "challenged", "unmatched", 1)?.clause).toBe("G1");
  expect(differenceOf("ended", "error", "challenged", 1)?.clause).toBe("G4");
  expect(differenceOf("client", "capacity", "unavailable", 1)?.clause).toBe("G3");
  expect(differenceOf("rules", "capacity", "client", 1)?.clause).toBe("G2");
  expect(differenceOf("version", "unmatched", "unavailable", 1)?.clause).toBe("G8");
});

test("what is absent on one side is told as null", () => {
  expect(differenceOf("freebie", undefined, "counted", 1)).toMatchObject({
    logged: null,
    expected: "counted",
  });
  expect(differenceOf("freebie", "counted", undefined, 1)).toMatchObject({
    logged: "counted",
    expected: null,
  });
});

test.each([
  [1, 1],
  [null, null],
  [undefined, undefined],
  [[], []],
  [[["a", 1]], [["a", 1]]],
  [{}, {}],
  [{ a: { b: [1] } }, { a: { b: [1] } }],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  [{ a: 1 }, { a: 1, b: undefined }],
  [{ a: 1, b: undefined }, { a: 1 }],
])("%j and %j are the same", (logged, expected) => {
  expect(differenceOf("config", logged, expected, 1)).toBeNull();
});

test.each([
  [1, "1"],
  [0, null],
  [undefined, null],
  [[], {}],
  [{}, []],
  [null, {}],
  [null, []],
  [[], null],
  [{}, null],
  [[1], [1, 2]],
  [[1, 2], [1]],
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: 1 }, {}],
  [{}, { a: 1 }],
  [
    { a: 1, b: 2 },
    { a: 1, b: 3 },
  ],
  [
    { a: 1, b: 2 },
    { a: 2, b: 2 },
  ],
  [{ 0: "a" }, ["a"]],
  [["a"], { 0: "a" }],
])("%j and %j are not the same", (logged, expected) => {
  expect(differenceOf("config", logged, expected, 1)).not.toBeNull();
});
