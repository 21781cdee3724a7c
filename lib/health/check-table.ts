import type { Check } from "./check.ts";
import { decisionChecks, orderChecks } from "./decision-checks.ts";
import { countChecks, tenantChecks, totalChecks } from "./figure-checks.ts";
import { checksumChecks, reportChecks } from "./report-checks.ts";

/** Every check health makes (§5.2). */
export const CHECK_TABLE: readonly Check[] = [
  ...countChecks,
  ...totalChecks,
  ...tenantChecks,
  ...decisionChecks,
  ...orderChecks,
  ...checksumChecks,
  ...reportChecks,
];
