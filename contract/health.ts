import { z } from "zod";

/** The four results of a check at one place (§5.2). Only match is green. */
export const CHECK_RESULTS = ["match", "mismatch", "indeterminate", "ignored"] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

/** §5.4: 0 clean, 2 a finding or facts unavailable, 3 contract or policy unavailable, or nothing judged. */
export type Status = 0 | 2 | 3;

/** One place that did not match (§5.2). A value the report lacks is absent from `reported`. */
export const healthIssueSchema = z.strictObject({
  check: z.string(),
  /** Where in the report: `counts.accepted`, `decisions[3].wait_ms`. */
  path: z.string(),
  clause: z.string(),
  result: z.enum(["mismatch", "indeterminate"]),
  reported: z.unknown().optional(),
  expected: z.unknown().optional(),
});
export type HealthIssue = z.output<typeof healthIssueSchema>;

/** What one check of the table came to, over all the places it looked at. */
export const checkTallySchema = z.strictObject({
  check: z.string(),
  clause: z.string(),
  title: z.string(),
  places: z.int().min(0),
  matched: z.int().min(0),
  mismatched: z.int().min(0),
  indeterminate: z.int().min(0),
  ignored: z.int().min(0),
});
export type CheckTally = z.output<typeof checkTallySchema>;

/** The result of health over one report (§5). */
export const healthResultSchema = z.strictObject({
  /** True unless the status is 0. */
  degraded: z.boolean(),
  status: z.literal([0, 2, 3]),
  /** Places looked at: the `checks: N` of §5.2. */
  checks: z.int().min(0),
  mismatches: z.int().min(0),
  indeterminate: z.int().min(0),
  issues: z.array(healthIssueSchema),
  table: z.array(checkTallySchema),
  /** Why nothing could be judged, where that is so. */
  unavailable: z.string().optional(),
});
export type HealthResult = z.output<typeof healthResultSchema>;
