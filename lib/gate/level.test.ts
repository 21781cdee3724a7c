import { expect, test } from "vitest";
import { Level, nearest } from "./bucket.ts";
import { limitOf, type Rule } from "./snapshot.ts";

const ruleOf = (requests: number, per_ms: number, burst: number): Rule => ({
  ...{ id: "r", index: 0, pattern: "", fits: () => true },
  ...limitOf(requests, per_ms, burst),
});
const shown = (level: Level) => [level.balance, level.tokens, level.next_ms, level.full_ms];

test("a level tells its balance, whole tokens, and when there is one more and all of them (G9)", () => {
  // Two tokens every 10 ms, at most 3: amounts in tenths of a token.
  const rule = ruleOf(2, 10, 3);
  expect(shown(new Level(rule, 0, 10))).toEqual([0, 0, 5, 15]);
  expect(shown(new Level(rule, 9, 10))).toEqual([0.9, 0, 1, 11]);
  expect(shown(new Level(rule, 10, 10))).toEqual([1, 1, 5, 10]);
  expect(shown(new Level(rule, 25, 10))).toEqual([2.5, 2, 3, 3]);
  expect(shown(new Level(rule, 30, 10))).toEqual([3, 3, null, 0]);
});

test("a level of numbers that doubles cannot hold tells the same, exactly (§2)", () => {
  const per_ms = 86_400_000_000;
  const burst = 999_999_999_999;
  const rule = ruleOf(1, per_ms, burst);
  expect(rule.wide).not.toBeNull();
  const den = BigInt(per_ms);
  expect(shown(new Level(rule, 0n, den))).toEqual([0, 0, per_ms, per_ms * burst]);
  expect(shown(new Level(rule, 3n * den - 1n, den))).toEqual([
    3 - 1 / per_ms,
    2,
    1,
    per_ms * (burst - 3) + 1,
  ]);
  expect(shown(new Level(rule, BigInt(burst) * den, den))).toEqual([burst, burst, null, 0]);
  // A denominator that a former rate has left: three times as fine.
  expect(shown(new Level(rule, 3n * den, 3n * den))).toEqual([1, 1, per_ms, per_ms * (burst - 1)]);
});

test("a rule counts in plain numbers as far as every sum of theirs is exact, and no further (§2)", () => {
  const half = 2 ** 52;
  // Twice the cap and what is earned in a millisecond: the largest safe number, and one more.
  expect(limitOf(1, 1, half - 1)).toMatchObject({ cap: half - 1, wide: null });
  expect(limitOf(2, 1, half - 1).wide).toEqual({ burst: BigInt(half - 1), per_ms: 1n });
  expect([limitOf(2, 10, 3).fill_ms, limitOf(7, 10, 3).fill_ms]).toEqual([15, 5]);
});

test("the double nearest to a balance: ties go to the even one, and what is above by anything to the other (§2)", () => {
  const half = 2n ** 53n;
  const far = 10n ** 80n;
  expect(nearest(half + 1n, half)).toBe(1);
  expect(nearest(half + 3n, half)).toBe(1 + 2 * Number.EPSILON);
  expect(nearest((half + 1n) * far + 1n, half * far)).toBe(1 + Number.EPSILON);
  expect(nearest((half + 1n) * far - 1n, half * far)).toBe(1);
  expect(nearest(1n, 3n * 2n ** 100n)).toBe(2 ** -100 / 3);
  expect(nearest(10n ** 40n, 3n)).toBe(Number("3".repeat(40)));
  expect(nearest(0n, 7n)).toBe(0);
});
