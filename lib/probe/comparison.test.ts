import { describe, expect, test } from "vitest";
import { Comparison } from "./comparison.ts";

function compare(reported: unknown, expected: { [key: string]: unknown }) {
  const comparison = new Comparison();
  comparison.fields([], reported, expected);
  return comparison.outcome();
}

describe("the probe's own comparison (§5.5)", () => {
  test("equal values are counted, each scalar once", () => {
    const value = { a: 1, b: { c: "x", d: [true, null, 3] } };
    expect(compare(structuredClone(value), value)).toEqual({
      result: "ok",
      compared: 5,
      mismatches: [],
      mismatchCount: 0,
    });
  });

  test.each([
    ["a field that is missing", {}, { a: 0 }, [{ path: "a", expected: 0 }]],
    ["null is not what is missing", { a: null }, { a: 0 }, [{ path: "a", reported: null, expected: 0 }]],
    ["null where nothing else is", {}, { a: null }, [{ path: "a", expected: null }]],
    ["a number in quotes", { a: "1" }, { a: 1 }, [{ path: "a", reported: "1", expected: 1 }]],
    ["1 is not true", { a: 1 }, { a: true }, [{ path: "a", reported: 1, expected: true }]],
    ["a list that is too short", { a: [1] }, { a: [1, 2] }, [{ path: "a[1]", expected: 2 }]],
    ["a list that is too long", { a: [1, 2] }, { a: [1] }, [{ path: "a[1]", reported: 2 }]],
    [
      "a list that is an object",
      { a: { 0: 1 } },
      { a: [1] },
      [{ path: "a", reported: "(an object)", expected: "(a list of 1)" }],
    ],
    ["an extra field within", { a: { b: 1, c: 2 } }, { a: { b: 1 } }, [{ path: "a.c", reported: 2 }]],
    [
      "a name that is no identifier",
      { a: { "t-1": 1 } },
      { a: { "t-1": 2 } },
      [{ path: 'a["t-1"]', reported: 1, expected: 2 }],
    ],
    ["the next double", { a: 0.1 + 0.2 }, { a: 0.3 }, [{ path: "a", reported: 0.1 + 0.2, expected: 0.3 }]],
    ["a report that is a list", [], { a: 1 }, [{ path: "a", expected: 1 }]],
    ["a report that is null", null, { a: 1 }, [{ path: "a", expected: 1 }]],
  ])("%s", (_, reported, expected, mismatches) => {
    const outcome = compare(reported, expected);
    expect(outcome.result).toBe("bad");
    expect(outcome.mismatches).toEqual(mismatches);
    expect(outcome.mismatchCount).toBe(mismatches.length);
  });

  test("an inherited member is not there; __proto__ is a member like any other", () => {
    const expected = { per_tenant: JSON.parse('{"constructor":1,"toString":2,"__proto__":3}') };
    expect(compare({ per_tenant: {} }, expected).mismatchCount).toBe(3);
    expect(compare(JSON.parse(JSON.stringify(expected)), expected).result).toBe("ok");
    const without = compare(JSON.parse('{"per_tenant":{"constructor":1,"toString":2}}'), expected);
    expect(without.mismatches).toEqual([{ path: "per_tenant.__proto__", expected: 3 }]);
  });

  test("all mismatches are counted, the first thousand listed, long values cut", () => {
    const outcome = compare({ a: Array(2500).fill("x".repeat(5000)) }, { a: Array(2500).fill("y") });
    expect(outcome.mismatchCount).toBe(2500);
    expect(outcome.mismatches).toHaveLength(1000);
    expect(JSON.stringify(outcome).length).toBeLessThan(400_000);
  });
});
