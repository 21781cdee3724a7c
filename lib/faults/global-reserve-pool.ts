import type { Buckets, Lane } from "../engine/buckets.ts";
import type { Rules } from "../engine/rules.ts";
import type { RuleFault } from "./fault.ts";

interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** Balance above the reserve of one guaranteed bucket, as it stands; negative where it is below. */
function surplus<T extends number | bigint>(
  lane: Lane<T>,
  bucket: number,
  balance: Rules["balance"],
): Fraction {
  const { arithmetic } = lane;
  const held = balance(arithmetic, lane.signed[bucket]!);
  return arithmetic.fraction(arithmetic.subtract(held, lane.reserve[bucket]!), lane.unit[bucket]!);
}

const add = (a: Fraction, b: Fraction): Fraction =>
  a.denominator === b.denominator
    ? { numerator: a.numerator + b.numerator, denominator: a.denominator }
    : {
        numerator: a.numerator * b.denominator + b.numerator * a.denominator,
        denominator: a.denominator * b.denominator,
      };

/** Whether the balances of all guaranteed buckets together reach the sum of their reserves. */
function poolHolds(buckets: Buckets, balance: Rules["balance"]): boolean {
  let total: Fraction = { numerator: 0n, denominator: 1n };
  for (let bucket = 0; bucket < buckets.count; bucket++) {
    if (buckets.guaranteed[bucket] === 0) continue;
    total = add(
      total,
      buckets.isWide[bucket] === 1
        ? surplus(buckets.bigints!, bucket, balance)
        : surplus(buckets.numbers, bucket, balance),
    );
  }
  return total.numerator >= 0n;
}

export const globalReservePool: RuleFault = {
  kind: "rule",
  id: "global-reserve-pool",
  clause: "§3.4",
  title: "One pool of reserves",
  summary:
    "Any guaranteed tenant may borrow while all guaranteed balances together reach the sum of the reserves.",
  replaces: "mayBorrow",
  rules: ({ balance }) => ({ mayBorrow: (_lane, _bucket, _balance, buckets) => poolHolds(buckets, balance) }),
};
