import { MICRO_PER_TOKEN } from "./decimal-units.ts";
import { nearestDouble } from "./nearest-double.ts";

/**
 * Exact arithmetic (§2) on scaled integers. A tenant's rate is p / q millionths of a token per millisecond, in lowest
 * terms; every amount of that tenant is a whole number of 1/q millionths, so that sums, refills and comparisons are
 * integer arithmetic. `T` is number where all of a tenant's amounts stay below 2^53, bigint otherwise.
 */
export interface Arithmetic<T extends number | bigint> {
  zero: T;
  /** Millionths of a token in this tenant's unit. `micro` is whole. */
  amount(micro: number, q: T): T;
  add(a: T, b: T): T;
  subtract(a: T, b: T): T;
  min(a: T, b: T): T;
  max(a: T, b: T): T;
  atLeast(a: T, b: T): boolean;
  /** What a rate earns in so many whole milliseconds (§3.2). */
  earn(rate: T, elapsed_ms: number): T;
  /** ⌈amount / rate⌉ in whole milliseconds, NaN where it has no value (§3.3); `amount` > 0. */
  wait_ms(amount: T, rate: T): number;
  /** The double nearest to an amount in tokens (§2). */
  tokens(amount: T, q: T): number;
  /** An amount as an exact fraction of millionths. */
  fraction(amount: T, q: T): { numerator: bigint; denominator: bigint };
}

/** Millionths of a token in a token, in a double. */
const MICRO = Number(MICRO_PER_TOKEN);

/** Whole numbers below 2^53 in doubles: exact, since `amountBound` keeps every intermediate in that range. */
export const narrow: Arithmetic<number> = {
  zero: 0,
  amount: (micro, q) => micro * q,
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a > b ? a : b),
  atLeast: (a, b) => a >= b,
  earn: (rate, elapsed_ms) => rate * elapsed_ms,
  wait_ms(amount, rate) {
    if (rate === 0) return Number.NaN;
    // The quotient may round up to the next whole number, never past it: the product, which is exact, tells.
    const whole = Math.floor(amount / rate);
    return whole * rate >= amount ? whole : whole + 1;
  },
  tokens(amount, q) {
    const divisor = q * MICRO;
    // One division of exact values is correctly rounded. No amount is the negative zero, whatever it was subtracted from.
    if (divisor <= Number.MAX_SAFE_INTEGER) return amount === 0 ? 0 : amount / divisor;
    return nearestDouble(BigInt(amount), BigInt(q) * MICRO_PER_TOKEN);
  },
  fraction: (amount, q) => ({ numerator: BigInt(amount), denominator: BigInt(q) }),
};

const LONGEST_WAIT = BigInt(Number.MAX_SAFE_INTEGER);

/** The same in big integers, for tenants whose amounts leave 2^53. */
export const wide: Arithmetic<bigint> = {
  zero: 0n,
  amount: (micro, q) => BigInt(micro) * q,
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a > b ? a : b),
  atLeast: (a, b) => a >= b,
  earn: (rate, elapsed_ms) => rate * BigInt(elapsed_ms),
  wait_ms(amount, rate) {
    if (rate === 0n) return Number.NaN;
    const wait = (amount + rate - 1n) / rate;
    return wait > LONGEST_WAIT ? Number.NaN : Number(wait);
  },
  tokens: (amount, q) => nearestDouble(amount, q * MICRO_PER_TOKEN),
  fraction: (amount, q) => ({ numerator: amount, denominator: q }),
};
