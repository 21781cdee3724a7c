import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearest } from "./rational.ts";

const MICRO = 1_000_000n;
const decimal = (micro: bigint): string => {
  const digits = (micro < 0n ? -micro : micro).toString().padStart(7, "0");
  return `${micro < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

describe("the double nearest to a rational (§2)", () => {
  test("agrees with the language's own reading of the same decimal", () => {
    const bits = fc.integer({ min: 1, max: 110 });
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 110n), max: 2n ** 110n }), bits, (wide, shift) => {
        const micro = wide >> BigInt(shift);
        expect(nearest({ n: micro, d: MICRO })).toBe(Number(decimal(micro)));
      }),
      { numRuns: 5000 },
    );
  });

  test("a common factor changes nothing", () => {
    const positive = (bits: bigint) => fc.bigInt({ min: 1n, max: 2n ** bits });
    fc.assert(
      fc.property(positive(80n), positive(70n), (micro, factor) => {
        expect(nearest({ n: micro * factor, d: MICRO * factor })).toBe(Number(decimal(micro)));
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ["a tie goes to the even neighbour below", 2n ** 53n + 1n, 2 ** 53],
    ["a tie goes to the even neighbour above", 2n ** 53n + 3n, 2 ** 53 + 4],
    [
      "a tie of numbers that no double holds goes to the even one too",
      (2n ** 53n + 1n) * 3n ** 40n,
      1,
      2n ** 53n * 3n ** 40n,
    ],
    ["just above a tie", (2n ** 53n + 1n) * MICRO + 1n, 2 ** 53 + 2, MICRO],
    ["just below a tie", (2n ** 53n + 1n) * MICRO - 1n, 2 ** 53, MICRO],
    ["just below a power of two, where the steps change", 2n ** 54n - 1n, 2 ** 54],
    ["as near to a power of two, in fractions", 2n ** 40n * 12_289n - 1n, 2 ** 40 - 2 ** -13, 12_289n],
    ["a third", 1n, 1 / 3, 3n],
    ["a third of a large number, beyond both ranges", 10n ** 40n, Number("3".repeat(40)), 3n],
    ["a denominator just beyond what a double holds", 1n, 1.1102230246251564e-16, 2n ** 53n + 1n],
    ["zero", 0n, 0],
    ["zero of a denominator that no double holds", 0n, 0, 2n ** 60n + 1n],
    ["below zero", -1n, -0.1, 10n],
  ])("%s", (_, n, expected, d = 1n) => expect(nearest({ n, d })).toBe(expected));

  test("nothing is nearer: compared with both neighbours exactly", () => {
    const view = new DataView(new ArrayBuffer(8));
    const neighbour = (value: number, step: bigint): number => {
      view.setFloat64(0, value);
      view.setBigInt64(0, view.getBigInt64(0) + step);
      return view.getFloat64(0);
    };
    // Every double of these magnitudes is a whole number of 2^-80.
    const scaled = (value: number): bigint => BigInt(value * 2 ** 40) * 2n ** 40n;
    const big = fc.bigInt({ min: 2n ** 60n, max: 2n ** 90n });
    fc.assert(
      fc.property(big, fc.bigInt({ min: 1n, max: 2n ** 20n }), (n, d) => {
        const found = nearest({ n, d });
        const distance = (value: number): bigint => {
          const difference = (n << 80n) - scaled(value) * d;
          return difference < 0n ? -difference : difference;
        };
        expect(distance(found) <= distance(neighbour(found, 1n))).toBe(true);
        expect(distance(found) <= distance(neighbour(found, -1n))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
