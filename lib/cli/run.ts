import { basename, dirname, join } from "node:path";
import { refuseOverwriting } from "../rounds/overwritten-file.ts";
import { leavingNothing } from "../rounds/process/clean-end.ts";
import { problemLine } from "../rounds/round-problem.ts";
import { runRound } from "../rounds/run/run-round.ts";
import { unservedIn } from "../rounds/run/unserved-tenants.ts";
import { countText } from "./count-text.ts";
import type { LogOptions } from "./import.ts";
import { logStream } from "./log-stream.ts";
import { type RoundFileOptions, readingOf } from "./round-files.ts";
import { tellPeople } from "./tell.ts";

/** `run`: a round; writes the report, then checks it. Returns the status of §5.4. */
export async function runVerb(options: RoundFileOptions & LogOptions & { fault: string[] }): Promise<number> {
  const { contract, policy, input, map, report: reportPath } = options;
  // The stream of a log is kept beside the report that is made from it.
  const streamPath = join(dirname(reportPath), `${basename(input)}.requests.jsonl`);
  for (const out of [reportPath, streamPath])
    await refuseOverwriting(out, {
      "the contract": contract,
      "the policy": policy,
      "the stream": input,
      "the mapping": map,
    });
  const stream = await leavingNothing(() => logStream(options, streamPath));
  if (stream.kind === "refused") {
    tellPeople(stream.message);
    console.log(
      JSON.stringify({ ok: false, status: stream.status, checks: 0, mismatches: 0, error: stream.message }),
    );
    return stream.status;
  }
  if (stream.path !== input) tellPeople(`stream written to ${stream.path}`);
  const round = await runRound(
    { ...options, input: stream.path },
    { reading: readingOf(options), faults: options.fault },
  );
  if (round.kind === "refused") {
    tellPeople(round.problem.message);
    for (const problem of round.problem.documents.slice(1)) tellPeople(problemLine(problem));
    for (const { line, field, reason } of round.problem.lines)
      tellPeople(`${options.input}: line ${line}${field === "" ? "" : `, ${field}`}: ${reason}`);
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
  const { unknown } = unservedIn(round.columns, round.outcome);
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
  tellPeople(`report written to ${options.report}`);
  if (round.columns.count === 0)
    tellPeople(`no request was decided: ${options.input} holds none, and says nothing of limits`);
  if (unknown.requests > 0)
    tellPeople(
      `${unknown.requests} of ${countText(round.columns.count, "request")} rejected as unknown_tenant: ${options.policy} does not name their ${unknown.tenants === 1 ? "tenant" : `${unknown.tenants} tenants`}, and has no entry "*"`,
    );
  if (status === 0 && truth.status !== 0)
    tellPeople(
      `FALSE GREEN: the round ends with status 0; the independent recomputation found ${countText(truth.mismatches + truth.indeterminate, "difference")}.`,
    );
  return status;
}
