/**
 * Decimals as the contract reads them (§1.4): judged by the exact value of their text, never by the nearest
 * double. Used to validate inputs; engine and reference each do their own arithmetic.
 */

/** The text of a JSON number that keeps its digits: readers of JSON hand numbers over in this form. */
export class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Plain decimal text without exponent, sign or needless zeros: "9.8", "0", "1000000000000". */
export type DecimalText = string;

/** Digits after the point that a decimal may have (§1.4). */
export const DECIMAL_DIGITS = 6;
/** The largest decimal (§1.4), in tokens or tokens per second. */
export const DECIMAL_MAX = 1_000_000_000_000n;

const MICRO = 10n ** BigInt(DECIMAL_DIGITS);
const JSON_NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
/** More digits than any value in range can have; longer ones are out of range before they are multiplied out. */
const MAX_SIGNIFICANT = 20;

/** Why a text is no decimal of §1.4. */
export type DecimalFault = "not a number" | "too many digits after the point" | "out of range";

/** A loop: the expression /0+$/ takes quadratic time on a long run of zeros that is not the last. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

/**
 * The exact value of a JSON number's text, in millionths.
 * Rejects more than 6 digits after the point and magnitudes above 1e12 (§1.4); sign is kept for the caller's range.
 */
export function microOf(text: string): bigint | DecimalFault {
  const match = JSON_NUMBER.exec(text);
  if (match === null) return "not a number";
  const [, sign = "", whole = "", fraction = "", exponentText = "0"] = match;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = withoutTrailingZeros(digits);
  if (significant === "") return 0n;
  // A number, not a BigInt: an exponent of absurd length becomes Infinity, which is out of range either way.
  const exponent = Number(exponentText) - fraction.length + (digits.length - significant.length);
  if (exponent < -DECIMAL_DIGITS) return "too many digits after the point";
  if (significant.length > MAX_SIGNIFICANT || exponent > MAX_SIGNIFICANT) return "out of range";
  const micro = BigInt(significant) * 10n ** BigInt(exponent + DECIMAL_DIGITS);
  if (micro > DECIMAL_MAX * MICRO) return "out of range";
  return sign === "-" ? -micro : micro;
}

/** Plain text of a non-negative number of millionths. */
export function decimalText(micro: bigint): DecimalText {
  const whole = micro / MICRO;
  const fraction = (micro % MICRO).toString().padStart(DECIMAL_DIGITS, "0").replace(/0+$/, "");
  return fraction === "" ? whole.toString() : `${whole}.${fraction}`;
}
