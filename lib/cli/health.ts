import type { HealthResult } from "../../contract/health.ts";
import { judgeReportFile } from "../rounds/run/judge-report.ts";
import type { LogOptions } from "./import.ts";
import { withLogStream } from "./log-stream.ts";
import { type RoundFileOptions, readingOf } from "./round-files.ts";
import { tellPeople } from "./tell.ts";

type Told = Pick<HealthResult, "degraded" | "checks" | "issues" | "unavailable"> & { status: number };

function tell({ degraded, status, checks, issues, unavailable }: Told): number {
  console.log(
    JSON.stringify({
      degraded,
      status,
      checks,
      issues,
      ...(unavailable === undefined ? {} : { unavailable }),
    }),
  );
  if (unavailable !== undefined) tellPeople(unavailable);
  else tellPeople(`checks: ${checks}, ${issues.length} not matching`);
  return status;
}

/** `health`: recomputes and compares a report that exists (§5), over a stream or a log. Returns the status of §5.4. */
export const healthVerb = (options: RoundFileOptions & LogOptions): Promise<number> =>
  withLogStream(options, async (stream) =>
    tell(
      stream.kind === "refused"
        ? { degraded: true, status: stream.status, checks: 0, issues: [], unavailable: stream.message }
        : await judgeReportFile({ ...options, input: stream.path }, readingOf(options)),
    ),
  );
