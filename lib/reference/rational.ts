/** An exact rational number; `d` > 0. Tokens of one tenant share a denominator, so that sums need no reduction. */
export interface Rational {
  n: bigint;
  d: bigint;
}

const view = new DataView(new ArrayBuffer(8));
const SIGNIFICAND_BITS = 52n;
const SAFE = 2n ** 53n;

function bitsOf(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

function doubleOf(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** A positive, finite, normal double as significand × 2^exponent. */
function parts(value: number): { significand: bigint; exponent: bigint } {
  const bits = bitsOf(value);
  const fraction = bits & ((1n << SIGNIFICAND_BITS) - 1n);
  const exponent = (bits >> SIGNIFICAND_BITS) - 1023n - SIGNIFICAND_BITS;
  return { significand: fraction | (1n << SIGNIFICAND_BITS), exponent };
}

/** |n / d − value| as a fraction over a common denominator, to compare two of them for the same n / d. */
function distance({ n, d }: Rational, value: number): Rational {
  const { significand, exponent } = parts(value);
  const [up, down] = exponent >= 0n ? [1n << exponent, 1n] : [1n, 1n << -exponent];
  const difference = n * down - significand * up * d;
  return { n: difference < 0n ? -difference : difference, d: d * down };
}

/**
 * The IEEE double nearest to a rational, ties to even (§2). Starts at a near one and walks to the neighbour that is
 * nearest by exact comparison.
 */
export function nearest(value: Rational): number {
  const { n, d } = value;
  if (n === 0n) return 0;
  if (n < 0n) return -nearest({ n: -n, d });
  // Both exact in a double: one division is correctly rounded.
  if (n < SAFE && d < SAFE) return Number(n) / Number(d);
  let best = Number(n) / Number(d);
  for (;;) {
    const bits = bitsOf(best);
    const better = [bits - 1n, bits + 1n].map(doubleOf).find((neighbour) => {
      const here = distance(value, best);
      const there = distance(value, neighbour);
      const left = there.n * here.d;
      const right = here.n * there.d;
      // Of two neighbours one is even: where both are as near, it is the one to go to, and to stay at.
      return left < right || (left === right && (bitsOf(neighbour) & 1n) === 0n);
    });
    if (better === undefined) return best;
    best = better;
  }
}
