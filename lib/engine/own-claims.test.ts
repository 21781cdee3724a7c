import { expect, test } from "vitest";
import { scenario, scenarioNames } from "./case-files.ts";
import { decideRound } from "./decide-round.ts";
import { groupRows } from "./group-rows.ts";
import { openedAs } from "./opening.ts";
import { roundFigures } from "./round-figures.ts";
import { contractRules } from "./rules.ts";
import { okClaim } from "./write-report.ts";

const { contract, policy, columns } = scenario("2026-10-25-1000");

test("a group's row is marked where, and only where, it broke the reserve (§3.4)", () => {
  const rows = [...groupRows(decideRound(contract, policy, columns, contractRules, true))];
  const breached = rows.filter(({ reserve_breached }) => reserve_breached);
  expect(breached.map(({ req_ids, step }) => [req_ids, step])).toEqual([[["req-0009"], 2]]);
});

test("the lowest balance is the lowest of all, and never above 0 (§4)", () => {
  const outcome = decideRound(contract, policy, columns);
  const figures = roundFigures(outcome);
  expect(okClaim(outcome, figures).lowest_balance).toBe(0);
  const per_tenant = Object.fromEntries(
    Object.entries(figures.per_tenant).map(([name, row], at) => [name, { ...row, closing_tokens: at - 2 }]),
  );
  expect(okClaim(outcome, { ...figures, per_tenant }).lowest_balance).toBe(-2);
});

test("full and empty openings are those of every bucket, the template's too, and change nothing else", () => {
  for (const name of scenarioNames()) {
    const inputs = scenario(name);
    for (const opening of ["full", "empty"] as const) {
      const opened = openedAs(inputs.policy, opening);
      const { buckets } = decideRound(inputs.contract, opened, inputs.columns);
      const figures = roundFigures(decideRound(inputs.contract, opened, inputs.columns));
      expect(buckets.count).toBe(Object.keys(figures.per_tenant).length);
      for (const { opening_tokens, capacity } of Object.values(figures.per_tenant))
        expect(opening_tokens).toBe(opening === "full" ? capacity : 0);
      expect(opened.denylist).toEqual(inputs.policy.denylist);
      for (const { opening_tokens } of opened.tenants)
        expect(opening_tokens).toBe(opening === "full" ? undefined : "0");
      const withoutOpening = ({ opening_tokens: _, ...tenant }: (typeof opened.tenants)[number]) => tenant;
      expect(opened.tenants.map(withoutOpening)).toEqual(inputs.policy.tenants.map(withoutOpening));
    }
  }
});
