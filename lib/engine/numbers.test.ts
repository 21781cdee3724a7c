import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { narrow, wide } from "./arithmetic.ts";
import { microUnits, rateFraction } from "./decimal-units.ts";
import { nearestDouble } from "./nearest-double.ts";
import { verdictOf } from "./verdict.ts";

const SAFE = Number.MAX_SAFE_INTEGER;

describe("the wait is rounded up exactly (§3.3)", () => {
  const check = (amount: number, rate: number) => {
    const exact = (BigInt(amount) + BigInt(rate) - 1n) / BigInt(rate);
    expect(narrow.wait_ms(amount, rate)).toBe(Number(exact));
    expect(wide.wait_ms(BigInt(amount), BigInt(rate))).toBe(Number(exact));
  };

  test.each([
    [2_200_000, 4000],
    [1, 1],
    [SAFE - 1, 1],
    [4_503_599_627_370_497, 2],
    // The quotients of these round to a whole number in doubles, and are none.
    [9_007_199_254_740_989, 3],
    [9_007_199_254_740_987, 9_007_199_254_740_986],
  ])("%i / %i", check);

  test("for any amounts whose product with the rate stays exact", () => {
    const pairs = fc.oneof(
      fc.tuple(fc.integer({ min: 1, max: SAFE }), fc.integer({ min: 1, max: SAFE })),
      fc.tuple(fc.integer({ min: SAFE - 9_999_999, max: SAFE }), fc.integer({ min: 1, max: 1_000_000 })),
    );
    fc.assert(
      fc.property(pairs, ([amount, rate]) => {
        fc.pre(amount + rate <= SAFE);
        check(amount, rate);
      }),
      { numRuns: 5000 },
    );
  });

  test("it has no value where the rate is 0 or it passes 2^53 − 1", () => {
    expect(narrow.wait_ms(1, 0)).toBeNaN();
    expect(wide.wait_ms(1n, 0n)).toBeNaN();
    expect(wide.wait_ms(BigInt(SAFE), 1n)).toBe(SAFE);
    expect(wide.wait_ms(BigInt(SAFE) + 1n, 1n)).toBeNaN();
  });
});

describe("the double nearest to a fraction (§2)", () => {
  const ONE = 2n ** 53n;
  test.each([
    [0n, 7n, 0],
    [-0n, 7n, 0],
    [1n, 3n, 1 / 3],
    [-22n, 10n, -2.2],
    // Halfway between two doubles: to the even one.
    [ONE + 1n, 1n, 2 ** 53],
    [ONE + 3n, 1n, 2 ** 53 + 4],
    [2n * (ONE + 1n) + 1n, 2n, 2 ** 53 + 2],
    [(ONE + 1n) * 10n ** 30n, 10n ** 30n, 2 ** 53],
    [(ONE + 1n) * 10n ** 30n + 1n, 10n ** 30n, 2 ** 53 + 2],
    [-(ONE + 1n) * 10n ** 30n - 1n, 10n ** 30n, -(2 ** 53) - 2],
    [-(ONE + 1n) * 10n ** 6n - 1n, 10n ** 6n, -(2 ** 53) - 2],
    // Beyond 2^56, where what tells lies below the bits that are kept.
    [(ONE + 1n) << 10n, 1n, 2 ** 63],
    [((ONE + 1n) << 10n) + 1n, 1n, 2 ** 63 + 2 ** 11],
    [10n ** 40n, 10n ** 28n, 1e12],
    [1n, 86_400_000_000_000n * 1_000_000n, 1 / 8.64e19],
  ])("%s / %s", (numerator, denominator, expected) => {
    expect(nearestDouble(numerator, denominator)).toBe(expected);
  });

  test("no double is nearer, and of two equally near ones it is the even", () => {
    const big = fc.bigInt({ min: 1n, max: 10n ** 30n });
    fc.assert(
      fc.property(big, big, (numerator, denominator) => {
        const [n, d] = exactFraction(nearestDouble(numerator, denominator));
        // |value − found| ≤ half a unit in the last place, in whole numbers.
        const error = abs(numerator * d - n * denominator);
        const [un, ud] = exactFraction(unitInLastPlace(nearestDouble(numerator, denominator)));
        const twice = 2n * error * ud;
        const limit = un * denominator * d;
        expect(twice <= limit).toBe(true);
        if (twice === limit) expect(((n * ud) / (un * d)) % 2n).toBe(0n);
      }),
      { numRuns: 3000 },
    );
  });
});

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const unitInLastPlace = (value: number): number => 2 ** (Math.floor(Math.log2(value)) - 52);

/** A positive double as numerator and denominator. */
function exactFraction(value: number): [bigint, bigint] {
  let [scaled, denominator] = [value, 1n];
  while (!Number.isInteger(scaled)) [scaled, denominator] = [scaled * 2, denominator * 2n];
  return [BigInt(scaled), denominator];
}

test("rates are fractions in lowest terms of millionths a millisecond (§1.2)", () => {
  expect(rateFraction({ rate: "100/m" })).toEqual({ p: 5000n, q: 3n });
  expect(rateFraction({ rate_per_sec: "0.1" })).toEqual({ p: 100n, q: 1n });
  expect(rateFraction({ rate: "1/250ms" })).toEqual({ p: 4000n, q: 1n });
  expect(rateFraction({ rate_per_sec: "0" })).toEqual({ p: 0n, q: 1n });
  expect(microUnits("1000000000000.000001")).toBe(1_000_000_000_000_000_001n);
});

test("a rate that no validation would have let through is an error, not a rate (§1.2)", () => {
  expect(() => rateFraction({ rate: "1/x" })).toThrow("a validated policy holds no broken rate");
});

test("a step that §3.4 does not know has no verdict", () => {
  for (const step of [0, 7]) expect(() => verdictOf(step)).toThrow(`§3.4 has no step ${step}`);
});
