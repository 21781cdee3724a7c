import type { HealthResult, Status } from "../../contract/health.ts";

interface Found {
  /** Places looked at. */
  checks: number;
  mismatches: number;
  indeterminate: number;
  /** Lines of the stream that were left out. */
  skipped: number;
}

/** §5.4: 0 only where checks were made, every one matched and nothing was skipped; without a check 3. */
export function statusOf({ checks, mismatches, indeterminate, skipped }: Found): Status {
  if (checks === 0) return 3;
  return mismatches > 0 || indeterminate > 0 || skipped > 0 ? 2 : 0;
}

/** A result where nothing could be judged (§5.4): never the same as nothing wrong. */
export function unjudged(status: 2 | 3, unavailable: string): HealthResult {
  return {
    degraded: true,
    status,
    checks: 0,
    mismatches: 0,
    indeterminate: 0,
    issues: [],
    table: [],
    unavailable,
  };
}
