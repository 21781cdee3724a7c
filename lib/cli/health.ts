import { judgeReportFile } from "../rounds/judge-report.ts";
import { type RoundFileOptions, readingOf } from "./round-files.ts";

/** `health`: recomputes and compares a report that exists (§5). Returns the status of §5.4. */
export async function healthVerb(options: RoundFileOptions): Promise<number> {
  const { degraded, status, checks, issues, unavailable } = await judgeReportFile(
    options,
    readingOf(options),
  );
  console.log(
    JSON.stringify({
      degraded,
      status,
      checks,
      issues,
      ...(unavailable === undefined ? {} : { unavailable }),
    }),
  );
  if (unavailable !== undefined) console.error(unavailable);
  else console.error(`checks: ${checks}, ${issues.length} not matching`);
  return status;
}
