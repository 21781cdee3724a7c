import type { Expected, Finding, ReportObject } from "./check.ts";
import { fieldOf, fieldsOf, rowsOf } from "./check.ts";
import { tenantPath } from "./figure-checks.ts";

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** The fields of §4, part by part. */
const REPORT = names("version engine ok counts totals per_tenant dispatch_order decisions input checksum");
const ENGINE = names("name version");
const COUNTS = names("accepted queued rejected reserve_breached");
const TOTALS = names("capacity used over_capacity");
const BUCKET = names(
  "tier capacity opening_tokens closing_tokens reserve_tokens reserve_breached used accepted queued rejected",
);
const DECISION = names("req_id tenant verdict reason wait_ms reserve_breached");
const INPUT = names("contract_sha256 policy_sha256 stream_sha256 requests skipped");
const SKIPPED = names("count lines");
const SKIPPED_LINE = names("line field reason");

/** The parts of a report whose fields are known, with their paths. */
function* parts(report: ReportObject): Generator<[path: string, part: unknown, known: ReadonlySet<string>]> {
  yield ["", report, REPORT];
  yield ["engine", report.engine, ENGINE];
  yield ["counts", report.counts, COUNTS];
  yield ["totals", report.totals, TOTALS];
  yield ["input", report.input, INPUT];
  const skipped = fieldOf(report.input, "skipped");
  yield ["input.skipped", skipped, SKIPPED];
  const lines = rowsOf(fieldOf(skipped, "lines"));
  for (let place = 0; place < lines.length; place++)
    yield [`input.skipped.lines[${place}]`, lines.at(place), SKIPPED_LINE];
  for (const [tenant, bucket] of Object.entries(fieldsOf(report.per_tenant)))
    yield [tenantPath(tenant), bucket, BUCKET];
}

function* surplusOf(path: () => string, part: unknown, known: ReadonlySet<string>): Generator<Finding> {
  for (const field of Object.keys(fieldsOf(part)))
    if (!known.has(field)) {
      const prefix = path();
      yield {
        path: prefix === "" ? field : `${prefix}.${field}`,
        reported: "a field",
        expected: "no such field",
      };
    }
}

/** Every field that a report has and §4 does not know, as a mismatch: what nobody judges must not travel as judged. */
export function* surplusFields(report: ReportObject, { figures }: Expected): Generator<Finding> {
  for (const [path, part, known] of parts(report)) yield* surplusOf(() => path, part, known);
  // Rows that were found to be the expected ones have no field besides.
  if (report.decisions === figures.decisions) return;
  const decisions = rowsOf(report.decisions);
  for (let place = 0; place < decisions.length; place++)
    yield* surplusOf(() => `decisions[${place}]`, decisions.at(place), DECISION);
}
