import type { HealthResult } from "../../contract/health.ts";
import type { RequestColumns } from "../../contract/request.ts";
import { compareReport } from "../health/compare-report.ts";
import { type Documents, loadDocuments } from "./documents.ts";
import { expectedFor, findTruth, type Truth } from "./judge-report.ts";
import { readReportRows } from "./read-report.ts";
import { documentsUnavailable, reportUnavailable } from "./round-problem.ts";
import { type RefusedRound, type RoundFiles, type RoundOptions, readStream } from "./run-round.ts";

/** A report that was made elsewhere beside what the reference found: nothing here was decided by the engine. */
export interface AuditedRound {
  kind: "audited";
  documents: Documents;
  columns: RequestColumns;
  /** JSON of whatever shape. */
  report: unknown;
  truth: HealthResult;
  recomputed: Extract<Truth, { ok: true }>;
}

/** How many requests a stream holds that can be judged; nothing of it is kept. */
async function countRequests(
  files: RoundFiles,
  reading: RoundOptions["reading"],
  onBytes: (done: number, total: number) => void,
): Promise<{ ok: true; count: number } | { ok: false; problem: RefusedRound["problem"] }> {
  const read = await readStream(files, reading, { onBytes });
  return read.ok ? { ok: true, count: read.stream.columns.count } : read;
}

/**
 * Judges a report that was made elsewhere (§5) by its contract, policy and stream. Where one of the four is unavailable
 * nothing can be judged, and that is what it says. What the report lacks is indeterminate, never green.
 */
export async function auditRound(
  files: RoundFiles,
  { reading, onProgress: progress = () => {} }: Pick<RoundOptions, "reading" | "onProgress">,
): Promise<AuditedRound | RefusedRound> {
  const refuse = (problem: RefusedRound["problem"]): RefusedRound => ({
    kind: "refused",
    problem,
    status: problem.status,
  });
  progress({ phase: "read", done: 0, total: null, unit: "bytes" });
  const documents = await loadDocuments(files);
  if (!documents.ok) return refuse(documentsUnavailable(documents.problems));
  const report = await readReportRows(files.report);
  if (!report.ok) return refuse(reportUnavailable(files.report, report.message));
  const onBytes = (done: number, total: number) => progress({ phase: "read", done, total, unit: "bytes" });
  const counted = await countRequests(files, reading, onBytes);
  if (!counted.ok) return refuse(counted.problem);
  const recomputed = await findTruth(documents.value, files.input, reading, {
    trace: true,
    onProgress: (done) => progress({ phase: "recompute", done, total: counted.count, unit: "requests" }),
  });
  if (!recomputed.ok) return refuse(recomputed.problem);
  // Read once more: the reference needs the most memory, and what the pages show of the stream is not needed before.
  const read = await readStream(files, reading);
  if (!read.ok) return refuse(read.problem);
  const { columns } = read.stream;
  progress({ phase: "compare", done: 0, total: null, unit: "checks" });
  const truth = compareReport(report.value, expectedFor(recomputed, report.value));
  return { kind: "audited", documents: documents.value, columns, report: report.value, truth, recomputed };
}
