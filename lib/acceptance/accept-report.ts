import type { Criterion } from "../../contract/round-view.ts";
import { boundCriteria } from "./bound-criteria.ts";
import type { AcceptanceCriterion } from "./criterion.ts";
import { type AcceptanceInput, layOut } from "./evidence.ts";
import { groupCriteria } from "./group-criteria.ts";
import { orderCriteria } from "./order-criteria.ts";
import { reportCriteria } from "./report-criteria.ts";
import { scenarioCriteria } from "./scenario-criteria.ts";
import { sumCriteria } from "./sum-criteria.ts";

/** Every criterion on inputs and report that needs no recomputation of a bucket (§5.5). */
export const CRITERIA: readonly AcceptanceCriterion[] = [
  ...reportCriteria,
  ...orderCriteria,
  ...groupCriteria,
  ...boundCriteria,
  ...sumCriteria,
];

/** Judges a report by the acceptance criteria (§5.5), on the scenario also by its figures (§7). What cannot be judged is null, which is not green. */
export function acceptReport(input: AcceptanceInput): Criterion[] {
  const criteria = input.scenario === true ? [...CRITERIA, ...scenarioCriteria] : CRITERIA;
  const evidence = layOut(input);
  return criteria.map(({ id, group, clause, title, judge }) => {
    const finding = judge(evidence);
    return {
      id,
      group,
      clause,
      title,
      passed: finding === undefined ? null : finding === null,
      detail: finding === undefined ? "the report has nothing to judge it by" : (finding ?? ""),
    };
  });
}

/** How many criteria hold, are broken, or could not be judged. */
export function tallyCriteria(criteria: readonly Criterion[]): {
  passed: number;
  failed: number;
  unknown: number;
} {
  const count = (passed: boolean | null) =>
    criteria.filter((criterion) => criterion.passed === passed).length;
  return { passed: count(true), failed: count(false), unknown: count(null) };
}
