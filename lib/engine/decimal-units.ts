import { DECIMAL_DIGITS, type DecimalText } from "../../contract/decimal.ts";
import type { Tenant } from "../../contract/policy.ts";
import { rateParts } from "../../contract/rate.ts";

/** Millionths in one token: the finest a decimal can be (§1.4). */
export const MICRO_PER_TOKEN = 10n ** BigInt(DECIMAL_DIGITS);

/** Plain decimal text as a whole number of millionths. */
export function microUnits(text: DecimalText): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(DECIMAL_DIGITS, "0"));
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** A tenant's rate as p / q millionths of a token per millisecond, in lowest terms (§1.2). */
export function rateFraction(tenant: Pick<Tenant, "rate" | "rate_per_sec">): { p: bigint; q: bigint } {
  const parts =
    tenant.rate === undefined
      ? { micro: microUnits(tenant.rate_per_sec ?? "0"), per_ms: 1000n }
      : rateParts(tenant.rate);
  if (parts === null) throw new Error("a validated policy holds no broken rate");
  const divisor = greatestCommonDivisor(parts.micro, parts.per_ms);
  return { p: parts.micro / divisor, q: parts.per_ms / divisor };
}
