import type { CheckResult } from "../../contract/health.ts";

const isScalar = (value: unknown): boolean => ["number", "string", "boolean"].includes(typeof value);

/**
 * Compares a reported value with the expected one (§5.2): exact, without tolerance; -0 is 0.
 * Indeterminate where the report lacks the value or has one of another kind. Null against a value is a mismatch: both
 * say something, and not the same.
 */
export function compareValues(reported: unknown, expected: unknown): CheckResult {
  if (reported === expected) return expected === undefined ? "indeterminate" : "match";
  if (reported === null || expected === null)
    return isScalar(reported) || isScalar(expected) ? "mismatch" : "indeterminate";
  return typeof reported === typeof expected && isScalar(reported) ? "mismatch" : "indeterminate";
}
