import type { HealthResult } from "../../../contract/health.ts";
import type { RequestColumns } from "../../../contract/request.ts";
import { compareReport } from "../../health/compare-report.ts";
import { fileBytes } from "../../store/read-file.ts";
import { documentsUnavailable, reportUnavailable } from "../round-problem.ts";
import { placesOfRequests } from "./audit-places.ts";
import { type Documents, loadDocuments } from "./documents.ts";
import { expectedFor, findTruth, readBeside, type Truth } from "./judge-report.ts";
import { readReportRows, STREAMED_FROM_BYTES } from "./read-report.ts";
import { type RefusedRound, type RoundFiles, type RoundOptions, readStream } from "./run-round.ts";

/** A report that was made elsewhere beside what the reference found: nothing here was decided by the engine. */
export interface AuditedRound {
  kind: "audited";
  documents: Documents;
  columns: RequestColumns;
  /** Where the request of each of the reference's decisions stands among the valid lines. */
  places: Int32Array;
  /** JSON of whatever shape. */
  report: unknown;
  /** The checksum of the report's own content; null where it has none. */
  contentChecksum: string | null;
  truth: HealthResult;
  recomputed: Extract<Truth, { ok: true }>;
}

/**
 * Judges a report that was made elsewhere (§5) by its contract, policy and stream. Where one of the four is unavailable
 * nothing can be judged, and that is what it says. What the report lacks is indeterminate, never green.
 * @param streamedFromBytes from here on a report is read when the recomputation is there: it may be its very text
 */
export async function auditRound(
  files: RoundFiles,
  { reading, onProgress: progress = () => {} }: Pick<RoundOptions, "reading" | "onProgress">,
  streamedFromBytes = STREAMED_FROM_BYTES,
): Promise<AuditedRound | RefusedRound> {
  const refuse = (problem: RefusedRound["problem"]): RefusedRound => ({
    kind: "refused",
    problem,
    status: problem.status,
  });
  progress({ phase: "read", done: 0, total: null, unit: "bytes" });
  const documents = await loadDocuments(files);
  if (!documents.ok) return refuse(documentsUnavailable(documents.problems));
  const isLate = (await fileBytes(files.report).catch(() => 0)) >= streamedFromBytes;
  const readAtOnce = () => readReportRows(files.report, streamedFromBytes);
  const early = isLate ? null : await readAtOnce();
  if (early?.ok === false) return refuse(reportUnavailable(files.report, early.message));
  /** Of several things that are wrong it is the report that is told. */
  const refuseStream = async (problem: RefusedRound["problem"]) => {
    const report = early ?? (await readAtOnce());
    return refuse(report.ok ? problem : reportUnavailable(files.report, report.message));
  };
  const onBytes = (done: number, total: number) => progress({ phase: "read", done, total, unit: "bytes" });
  const read = await readStream(files, reading, { onBytes });
  if (!read.ok) return refuseStream(read.problem);
  const { columns } = read.stream;
  const recomputed = await findTruth(documents.value, files.input, reading, {
    trace: true,
    onProgress: (done) => progress({ phase: "recompute", done, total: columns.count, unit: "requests" }),
  });
  if (!recomputed.ok) return refuseStream(recomputed.problem);
  progress({ phase: "compare", done: 0, total: null, unit: "checks" });
  const report = early ?? (await readBeside(files.report, recomputed.reference));
  if (!report.ok) return refuse(reportUnavailable(files.report, report.message));
  const expected = expectedFor(recomputed, report.value);
  return {
    kind: "audited",
    documents: documents.value,
    columns,
    places: placesOfRequests(columns, documents.value.contract, recomputed.reference.figures),
    report: report.value,
    contentChecksum: expected.contentChecksum,
    truth: compareReport(report.value, expected),
    recomputed,
  };
}
