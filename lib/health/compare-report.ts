import type { CheckTally, HealthIssue, HealthResult } from "../../contract/health.ts";
import { type Check, type Expected, fieldsOf, type Place } from "./check.ts";
import { CHECK_TABLE } from "./check-table.ts";
import { compareValues } from "./compare-values.ts";
import { statusOf } from "./status.ts";

interface CompareOptions {
  /** Checks not asked for: their places are counted as ignored (§5.2). */
  ignore?: ReadonlySet<string>;
}

/** Every place that the table looks at, also the matching ones, check by check (§5.2). */
export function* places(
  report: unknown,
  expected: Expected,
  table: readonly Check[] = CHECK_TABLE,
  { ignore = new Set() }: CompareOptions = {},
): Generator<Place> {
  // A copy of its own: what checks keep about a report must not outlive the comparison, the report may change.
  const fields = { ...fieldsOf(report) };
  for (const { id, clause, section, findings } of table)
    for (const { path, subject = "", reported, expected: value, result } of findings(fields, expected))
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
 * @param onPlace told of every place, so that a caller can keep them without a second comparison
 */
export function compareReport(
  report: unknown,
  expected: Expected,
  table: readonly Check[] = CHECK_TABLE,
  options: CompareOptions & { onPlace?: (place: Place) => void } = {},
): HealthResult {
  const tallies = new Map(table.map((check) => [check.id, emptyTally(check)]));
  const issues: HealthIssue[] = [];
  for (const place of places(report, expected, table, options)) {
    const tally = tallies.get(place.check)!;
    tally.places += 1;
    tally[TALLY_FIELD[place.result]] += 1;
    if (place.result === "mismatch" || place.result === "indeterminate") issues.push(issueOf(place));
    options.onPlace?.(place);
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
