import type { CheckTally, HealthIssue, HealthResult } from "../../contract/health.ts";
import { type Agreement, type Check, type Expected, fieldsOf, type Place } from "./check.ts";
import { CHECK_TABLE } from "./check-table.ts";
import { compareValues } from "./compare-values.ts";
import { statusOf } from "./status.ts";

interface CompareOptions {
  /** Checks not asked for: their places are counted as ignored (§5.2). */
  ignore?: ReadonlySet<string>;
}

/** What each check of the table finds, in order. */
function* allFindings(
  report: unknown,
  expected: Expected,
  table: readonly Check[],
  ignore: ReadonlySet<string>,
  isBrief: boolean,
): Generator<Place | (Agreement & { check: string })> {
  // A copy of its own: what checks keep about a report must not outlive the comparison, the report may change.
  const fields = { ...fieldsOf(report) };
  for (const { id, clause, section, findings } of table)
    for (const finding of findings(fields, expected, isBrief)) {
      if ("agreed" in finding) {
        yield { check: id, agreed: finding.agreed };
        continue;
      }
      const { path, subject = "", reported, expected: value, result } = finding;
      yield {
        check: id,
        clause,
        section,
        subject,
        path,
        result: ignore.has(id) ? "ignored" : (result ?? compareValues(reported, value)),
        reported,
        expected: value,
      };
    }
}

/** Every place that the table looks at, also the matching ones, check by check (§5.2); not those that agree at once. */
export function* places(
  report: unknown,
  expected: Expected,
  table: readonly Check[] = CHECK_TABLE,
): Generator<Place> {
  for (const finding of allFindings(report, expected, table, new Set(), false))
    if (!("agreed" in finding)) yield finding;
}

/** Places that are told one by one; all are counted. */
const ISSUES_TOLD = 100_000;

const emptyTally = ({ id, clause, title }: Check): CheckTally => ({
  check: id,
  clause,
  title,
  places: 0,
  matched: 0,
  mismatched: 0,
  indeterminate: 0,
  ignored: 0,
});

const TALLY_FIELD = {
  match: "matched",
  mismatch: "mismatched",
  indeterminate: "indeterminate",
  ignored: "ignored",
} as const;

function issueOf({ check, path, clause, result, reported, expected }: Place): HealthIssue {
  return {
    check,
    path,
    clause,
    result: result as HealthIssue["result"],
    ...(reported === undefined ? {} : { reported }),
    ...(expected === undefined ? {} : { expected }),
  };
}

/**
 * Compares a report of whatever shape with what the reference found, field by field (§5.2).
 * @param onPlace told of every place but those that agree at once, so that a caller can keep them
 */
export function compareReport(
  report: unknown,
  expected: Expected,
  table: readonly Check[] = CHECK_TABLE,
  { ignore = new Set(), onPlace }: CompareOptions & { onPlace?: (place: Place) => void } = {},
): HealthResult {
  const tallies = new Map(table.map((check) => [check.id, emptyTally(check)]));
  const issues: HealthIssue[] = [];
  for (const finding of allFindings(report, expected, table, ignore, onPlace === undefined)) {
    const tally = tallies.get(finding.check)!;
    const isAgreement = "agreed" in finding;
    const count = isAgreement ? finding.agreed : 1;
    const result = !isAgreement ? finding.result : ignore.has(finding.check) ? "ignored" : "match";
    tally.places += count;
    tally[TALLY_FIELD[result]] += count;
    if (isAgreement) continue;
    onPlace?.(finding);
    const isOpen = result === "mismatch" || result === "indeterminate";
    if (isOpen && issues.length < ISSUES_TOLD) issues.push(issueOf(finding));
  }
  const sum = (field: "places" | "mismatched" | "indeterminate" | "ignored") =>
    [...tallies.values()].reduce((total, tally) => total + tally[field], 0);
  const checks = sum("places") - sum("ignored");
  const found = {
    checks,
    mismatches: sum("mismatched"),
    indeterminate: sum("indeterminate"),
    skipped: expected.input.skipped.count,
  };
  const status = statusOf(found);
  return {
    degraded: status !== 0,
    status,
    checks,
    mismatches: found.mismatches,
    indeterminate: found.indeterminate,
    issues,
    table: [...tallies.values()],
    ...(checks === 0 ? { unavailable: "no check was made (§5.2)" } : {}),
  };
}
