/** Decimals by the exact value of their text (§1.4). */

const MICRO_DIGITS = 6;
/** No decimal in range has more digits than this before the point (1e12), or in all; zeros are stripped first. */
const MOST_DIGITS = 19;
/** A text that is not longer before its point is in range, or just above it, and is multiplied out as it stands. */
const SHORT_WHOLE = 15;

/** `text` up to the first `mark` and after it; the second is empty where there is no mark. */
function cut(text: string, at: number): [string, string] {
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** Significant digits and the power of ten of the last of them: "0.0120" is 12 and −3. Zero has no digits. */
function significant(digits: string, power: number): { digits: string; power: number } {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  let start = 0;
  while (digits[start] === "0") start += 1;
  return { digits: digits.slice(start, end), power: power + digits.length - end };
}

/**
 * The exact value of a JSON number's text in millionths; null where it has more than 6 digits after the point or is
 * too large to be in any range of the contract. Never multiplies out an absurd exponent.
 */
export function millionths(text: string): bigint | null {
  const [mantissa, exponent] = cut(text, text.search(/[eE]/));
  const [whole, fraction] = cut(mantissa, mantissa.indexOf("."));
  if (exponent === "" && whole.length <= SHORT_WHOLE && fraction.length <= MICRO_DIGITS)
    return BigInt(whole + fraction.padEnd(MICRO_DIGITS, "0"));
  const isNegative = whole.startsWith("-");
  // An exponent of absurd length becomes an infinite power, which is out of range either way.
  const scale = Number(exponent) - fraction.length;
  const { digits, power } = significant((isNegative ? whole.slice(1) : whole) + fraction, scale);
  if (digits === "") return 0n;
  if (power < -MICRO_DIGITS || digits.length > MOST_DIGITS || power > MOST_DIGITS) return null;
  const value = BigInt(digits + "0".repeat(power + MICRO_DIGITS));
  return isNegative ? -value : value;
}

const UNIT_MS: ReadonlyMap<string, bigint> = new Map([
  ["ms", 1n],
  ["s", 1000n],
  ["m", 60_000n],
  ["h", 3_600_000n],
  ["d", 86_400_000n],
]);

/** A rate as millionths of a token every so many milliseconds (§1.2). The policy was validated: the text is a rate. */
export function readRate(tenant: { rate?: string | undefined; rate_per_sec?: string | undefined }): {
  micro: bigint;
  per_ms: bigint;
} {
  if (tenant.rate === undefined) return { micro: exactly(tenant.rate_per_sec ?? "0"), per_ms: 1000n };
  const [amount, period] = cut(tenant.rate, tenant.rate.indexOf("/"));
  const unit = period.replace(/^[0-9]+/, "");
  const times = period.slice(0, period.length - unit.length);
  const unit_ms = UNIT_MS.get(unit);
  if (unit_ms === undefined) throw new Error(`not a rate: ${tenant.rate}`);
  return { micro: exactly(amount), per_ms: (times === "" ? 1n : BigInt(times)) * unit_ms };
}

/** A decimal that was validated already, in millionths. */
export function exactly(text: string): bigint {
  const micro = millionths(text);
  if (micro === null) throw new Error(`not a decimal of §1.4: ${text}`);
  return micro;
}
