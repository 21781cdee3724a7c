import { basename, dirname, join } from "node:path";
import { importFile } from "../rounds/import-file.ts";
import { problemLine } from "../rounds/round-problem.ts";
import { runRound } from "../rounds/run-round.ts";
import { type LogOptions, tellImport } from "./import.ts";
import { type RoundFileOptions, readingOf } from "./round-files.ts";

/** The canonical stream to run: the input itself, or what a log is made into, kept beside the report. */
async function streamOf(
  options: RoundFileOptions & LogOptions,
): Promise<{ kind: "stream"; path: string } | { kind: "refused"; status: number; message: string }> {
  const { input, report, format, map } = options;
  const out = join(dirname(report), `${basename(input)}.requests.jsonl`);
  const result = await importFile({
    log: input,
    out,
    format,
    map,
    reading: readingOf(options),
    copyCanonical: false,
  });
  if (result.kind === "imported") {
    tellImport(input, result.summary);
    console.error([`${input}: ${result.title}; stream written to ${out}`, ...result.notes].join("\n"));
    return { kind: "stream", path: out };
  }
  if (result.kind === "refused" && !result.isMissing) {
    if (result.summary !== null) tellImport(input, result.summary);
    return { kind: "refused", status: result.problem.status, message: result.problem.message };
  }
  // The round itself says what is wrong with a stream that is none, after it has judged contract and policy.
  if (result.kind === "unknown") console.error(`${input}: ${result.reason}; read as a canonical stream`);
  return { kind: "stream", path: input };
}

/** `run`: a round; writes the report, then checks it. Returns the status of §5.4. */
export async function runVerb(options: RoundFileOptions & LogOptions & { fault: string[] }): Promise<number> {
  const stream = await streamOf(options);
  if (stream.kind === "refused") {
    console.error(stream.message);
    console.log(
      JSON.stringify({ ok: false, status: stream.status, checks: 0, mismatches: 0, error: stream.message }),
    );
    return stream.status;
  }
  const round = await runRound(
    { ...options, input: stream.path },
    { reading: readingOf(options), faults: options.fault },
  );
  if (round.kind === "refused") {
    console.error(round.problem.message);
    for (const problem of round.problem.documents.slice(1)) console.error(problemLine(problem));
    for (const { line, field, reason } of round.problem.lines)
      console.error(`${options.input}: line ${line}${field === "" ? "" : `, ${field}`}: ${reason}`);
    console.log(
      JSON.stringify({
        ok: false,
        status: round.status,
        checks: 0,
        mismatches: 0,
        error: round.problem.message,
      }),
    );
    return round.status;
  }
  const { report, health, truth, status } = round;
  console.log(
    JSON.stringify({
      counts: report.counts,
      totals: report.totals,
      ok: report.ok,
      checksum: report.checksum,
      status,
      checks: health.checks,
      mismatches: health.mismatches + health.indeterminate,
    }),
  );
  console.error(`report written to ${options.report}`);
  if (status === 0 && truth.status !== 0)
    console.error(
      `FALSE GREEN: the round ends with status 0; the independent recomputation found ${truth.mismatches + truth.indeterminate} differences.`,
    );
  return status;
}
