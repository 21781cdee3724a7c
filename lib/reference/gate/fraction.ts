/** Exact rationals ≥ 0 over big integers, always in lowest terms with a denominator above 0 (§2). Plain, not fast. */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

function common(a: bigint, b: bigint): bigint {
  return b === 0n ? a : common(b, a % b);
}

/** n / d in lowest terms; n ≥ 0, d > 0. */
export function fraction(n: bigint, d = 1n): Fraction {
  const divisor = common(n, d);
  return { n: n / divisor, d: d / divisor };
}

export const whole = (value: number): Fraction => fraction(BigInt(value));
export const plus = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
/** Of what is not above `a`. */
export const minus = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d - b.n * a.d, a.d * b.d);
export const times = (a: Fraction, count: number): Fraction => fraction(a.n * BigInt(count), a.d);
export const over = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d, a.d * b.n);
export const less = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d;
export const smaller = (a: Fraction, b: Fraction): Fraction => (less(b, a) ? b : a);

/** The least whole number that is not below a fraction ≥ 0. */
export const roundedUp = (a: Fraction): bigint => (a.n + a.d - 1n) / a.d;

const DIGITS = 60n;

/**
 * The double nearest to a fraction ≥ 0, ties to even (§2): long division to 60 decimals and one digit more that says
 * whether something is left, handed to ECMAScript's own exact reading of decimal text.
 */
export function nearestDouble(a: Fraction): number {
  const scaled = a.n * 10n ** DIGITS;
  const rest = scaled % a.d === 0n ? "0" : "1";
  return Number(`${scaled / a.d}${rest}e-${DIGITS + 1n}`);
}
