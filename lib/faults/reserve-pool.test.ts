import fc from "fast-check";
import { expect, test } from "vitest";
import { held } from "../../contract/report.ts";
import type { Lane } from "../engine/bucket-columns.ts";
import { columnsFromRows } from "../engine/columns-from-rows.ts";
import { decideRound } from "../engine/decide-round.ts";
import { rounds } from "../engine/round-arbitrary.ts";
import { roundFigures } from "../engine/round-figures.ts";
import { contractRules, type Rules, type Standing } from "../engine/rules.ts";
import { injectFaults } from "./inject-faults.ts";

/** The pool counted anew each time, bucket by bucket over one common denominator. */
function holds({ buckets, rules }: Standing): boolean {
  const fractions: { numerator: bigint; denominator: bigint }[] = [];
  const push = <T extends number | bigint>(
    { arithmetic, signed, reserve, unit }: Lane<T>,
    bucket: number,
  ) => {
    const balance = rules.balance(arithmetic, signed[bucket]!);
    fractions.push(arithmetic.fraction(arithmetic.subtract(balance, reserve[bucket]!), unit[bucket]!));
  };
  for (let bucket = 0; bucket < buckets.count; bucket++) {
    if (buckets.guaranteed[bucket] === 0) continue;
    if (buckets.isWide[bucket] === 1) push(buckets.bigints!, bucket);
    else push(buckets.numbers, bucket);
  }
  const common = fractions.reduce((product, { denominator }) => product * denominator, 1n);
  return (
    fractions.reduce((sum, { numerator, denominator }) => sum + numerator * (common / denominator), 0n) >= 0n
  );
}

test("bringing the pool forward finds what counting it anew finds", () => {
  let borrowed = 0;
  fc.assert(
    fc.property(rounds, ({ contract, policy, rows }) => {
      const { rules } = injectFaults(["global-reserve-pool"]);
      const anew: Rules = { ...contractRules, mayBorrow: (_l, _b, _balance, standing) => holds(standing) };
      const columns = columnsFromRows(rows);
      const brought = decideRound(contract, policy, columns, rules);
      borrowed += brought.decisions.breached.reduce((sum, mark) => sum + mark, 0);
      expect(held(roundFigures(brought))).toEqual(
        held(roundFigures(decideRound(contract, policy, columns, anew))),
      );
    }),
    { numRuns: 1500 },
  );
  expect(borrowed).toBeGreaterThan(50);
});
