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
  const read = await readStream(files, reading);
  if (!read.ok) return refuse(read.problem);
  const { columns } = read.stream;
  const recomputed = await findTruth(documents.value, files.input, reading, {
    trace: true,
    onProgress: (done) => progress({ phase: "recompute", done, total: columns.count, unit: "requests" }),
  });
  if (!recomputed.ok) return refuse(recomputed.problem);
  progress({ phase: "compare", done: 0, total: null, unit: "checks" });
  const truth = compareReport(report.value, expectedFor(recomputed, report.value));
  return { kind: "audited", documents: documents.value, columns, report: report.value, truth, recomputed };
}
