/** A whole number from 0 on that is never rounded: a double where that is exact, else a big integer. */
export type Exact = number | bigint;

const isExact = (value: number): boolean => value <= Number.MAX_SAFE_INTEGER;

/** A big integer as it is kept. */
export const exactOf = (value: bigint): Exact =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

export function exactSum(a: Exact, b: Exact): Exact {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (isExact(sum)) return sum;
  }
  return BigInt(a) + BigInt(b);
}

export function exactProduct(a: Exact, b: Exact): Exact {
  if (typeof a === "number" && typeof b === "number") {
    // A product that is not exact is at least 2^53, and a double of it is not less.
    const product = a * b;
    if (isExact(product)) return product;
  }
  return BigInt(a) * BigInt(b);
}

/** ⌈a / b⌉. @param b above 0 */
export function exactCeiling(a: Exact, b: Exact): Exact {
  if (typeof a === "number" && typeof b === "number") {
    const rest = a % b;
    return (a - rest) / b + (rest > 0 ? 1 : 0);
  }
  const divisor = BigInt(b);
  return exactOf((BigInt(a) + divisor - 1n) / divisor);
}
