import { expect, test } from "vitest";
import { fraction, nearestDouble } from "./fraction.ts";

const HALF_WAY = 2n ** 53n;

test("what lies half way between two doubles goes to the even one, and what is above it by anything to the other (§2)", () => {
  expect(nearestDouble(fraction(HALF_WAY + 1n, HALF_WAY))).toBe(1);
  expect(nearestDouble(fraction(HALF_WAY + 3n, HALF_WAY))).toBe(1 + 2 * Number.EPSILON);
  const far = 10n ** 80n;
  expect(nearestDouble(fraction((HALF_WAY + 1n) * far + 1n, HALF_WAY * far))).toBe(1 + Number.EPSILON);
  expect(nearestDouble(fraction((HALF_WAY + 1n) * far - 1n, HALF_WAY * far))).toBe(1);
});
