const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** Bits of a double's significand. */
const PRECISION = 53;

const bitLength = (value: bigint): number => value.toString(2).length;

/**
 * The double nearest to numerator / denominator, ties to even (§2). `denominator` > 0.
 * Where both fit a double exactly one division is correctly rounded; else the quotient is cut to 55 bits and a sticky
 * bit, which Number() rounds as the exact value.
 */
export function nearestDouble(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  if (numerator < 0n) return -nearestDouble(-numerator, denominator);
  if (numerator <= SAFE && denominator <= SAFE) return Number(numerator) / Number(denominator);
  const shift = PRECISION + 2 - (bitLength(numerator) - bitLength(denominator));
  const [scaled, divisor] =
    shift >= 0 ? [numerator << BigInt(shift), denominator] : [numerator, denominator << BigInt(-shift)];
  const quotient = (scaled / divisor) * 2n + (scaled % divisor === 0n ? 0n : 1n);
  return Number(quotient) * 2 ** -(shift + 1);
}
