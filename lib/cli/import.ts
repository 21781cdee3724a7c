import type { ArrivalSpread, ImportSummary } from "../../contract/mapping.ts";
import { importFile } from "../rounds/logs/import-file.ts";
import { refuseOverwriting } from "../rounds/overwritten-file.ts";
import { leavingNothing } from "../rounds/process/clean-end.ts";
import { countText } from "./count-text.ts";
import { readingOf } from "./round-files.ts";
import { tellPeople } from "./tell.ts";

/** Options that say how a log is read. */
export interface LogOptions {
  format?: string;
  map?: string;
  from?: string;
  to?: string;
  lenient?: boolean;
}

/** Counts and problems of an import, for people. */
export function tellImport(log: string, { problems, ...counts }: ImportSummary): void {
  for (const { line, field, reason, text } of problems)
    tellPeople(`${log}: line ${line}${field === "" ? "" : `, ${field}`}: ${reason}: ${JSON.stringify(text)}`);
  if (counts.problem_count > problems.length)
    tellPeople(`${log}: and ${counts.problem_count - problems.length} more`);
  tellPeople(
    `${log}: ${countText(counts.lines, "line")} = ${countText(counts.requests, "request")} + ${countText(counts.problem_count, "problem")} + ${counts.other_lines} that ${counts.other_lines === 1 ? "holds" : "hold"} no request; ${counts.out_of_order} out of order of time`,
  );
  if (counts.spread !== undefined) tellPeople(`${log}: ${spreadAdvice(counts.spread)}`);
}

/** Which line began a log too early for most of it, and how the rest is imported. */
function spreadAdvice({ earliest, line, beyond, stretch }: ArrivalSpread): string {
  const found =
    `the earliest arrival is ${earliest} in line ${line}; ${countText(beyond, "request lies", "requests lie")} ` +
    "more than 366 days after it, and no round is longer (§1.3)";
  return stretch === null
    ? `${found}; import a stretch of time: --from STAMP --to STAMP --lenient`
    : `${found}; the 366 days that hold most, ${countText(stretch.requests, "request")}, begin with: --from ${stretch.from} --lenient`;
}

/**
 * `import`: makes the canonical stream of a log. Returns 0; 2 where the log is unavailable, refused, or had problems
 * that lenient reading recorded; 3 where its mapping is unavailable.
 */
export async function importVerb(log: string, options: LogOptions & { out: string }): Promise<number> {
  const { format, map, from, to, out } = options;
  await refuseOverwriting(out, { "the log": log, "the mapping": map });
  const reading = readingOf(options);
  const result = await leavingNothing(() =>
    importFile({ log, out, format, map, from, to, reading, copyCanonical: true }),
  );
  const failed = (status: number, error: string, summary: ImportSummary | null) => {
    if (summary !== null) tellImport(log, summary);
    tellPeople(error);
    console.log(JSON.stringify({ ok: false, status, error, ...summary }));
    return status;
  };
  if (result.kind === "unknown") return failed(2, `${log}: ${result.reason}`, null);
  if (result.kind === "refused") return failed(result.problem.status, result.problem.message, result.summary);
  if (result.kind === "canonical") throw new Error("a canonical stream was not copied");
  const { summary, title, notes } = result;
  tellImport(log, summary);
  tellPeople([`${log}: ${title}; stream written to ${out}`, ...notes].join("\n"));
  const status = summary.problem_count > 0 ? 2 : 0;
  console.log(JSON.stringify({ ok: status === 0, status, format: title, ...summary }));
  return status;
}
