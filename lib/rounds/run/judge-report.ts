import type { HealthResult } from "../../../contract/health.ts";
import type { Report, ReportInput } from "../../../contract/report.ts";
import type { Reading } from "../../../contract/request.ts";
import type { RoundProblem } from "../../../contract/round-view.ts";
import { type Expected, fieldsOf } from "../../health/check.ts";
import { compareReport } from "../../health/compare-report.ts";
import { unjudged } from "../../health/status.ts";
import { contentChecksum } from "../../recheck/content-checksum.ts";
import { type Recomputation, type ReferenceResult, recompute } from "../../reference/recompute.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { fileBytes, readFileAhead } from "../../store/read-file.ts";
import { documentsUnavailable, streamRefused, streamUnavailable } from "../round-problem.ts";
import { nodeSha256, sha256Of } from "../sha256.ts";
import { type Documents, loadDocuments } from "./documents.ts";
import { type ReportRead, readReportRows, STREAMED_FROM_BYTES } from "./read-report.ts";
import { assistantFor } from "./reference-assistant.ts";
import { fieldsBehind, figuresDigest } from "./report-mirror.ts";

/** What the reference found, in the form health compares with; or why it could not be found. */
export type Truth =
  | { ok: true; expected: Expected; reference: Extract<ReferenceResult, { ok: true }> }
  | { ok: false; problem: RoundProblem };

/**
 * Recomputes a round by the reference from documents and a stream file (§5.1). Nothing else is at work meanwhile: of a
 * large stream it has an assistant.
 */
export async function findTruth(
  documents: Documents,
  streamPath: string,
  reading: Reading,
  options: Pick<Recomputation, "trace" | "onProgress"> = {},
): Promise<Truth> {
  const { contract, policy } = documents;
  const stream = readFileAhead(streamPath);
  const assistant = await assistantFor(streamPath);
  const work = { contract, policy, stream, reading, sha256: nodeSha256, ...options };
  try {
    const found = recompute(assistant === null ? work : { ...work, assistant });
    return await truthFrom(documents, streamPath, found);
  } finally {
    await assistant?.stop();
  }
}

/** The truth from what the reference finds, or from why it cannot. */
export async function truthFrom(
  documents: Documents,
  streamPath: string,
  found: Promise<ReferenceResult>,
): Promise<Truth> {
  let reference: ReferenceResult;
  try {
    reference = await found;
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { ok: false, problem: streamUnavailable(error.file, error.message) };
  }
  if (!reference.ok)
    return {
      ok: false,
      problem: streamRefused(streamPath, reference.skipped.lines, reference.skipped.count),
    };
  const input: ReportInput = {
    contract_sha256: sha256Of(documents.contractBytes),
    policy_sha256: sha256Of(documents.policyBytes),
    stream_sha256: reference.stream_sha256,
    requests: reference.requests,
    skipped: reference.skipped,
  };
  return {
    ok: true,
    reference,
    expected: { figures: reference.figures, checksum: reference.checksum, input, contentChecksum: null },
  };
}

const FIGURES = ["counts", "totals", "per_tenant", "dispatch_order", "decisions"] as const;

/** A report whose text was found to be that of the expected figures: these stand for its own. */
export function withExpectedFigures(report: Report, { expected }: Extract<Truth, { ok: true }>): Report {
  return { ...report, ...expected.figures };
}

/** `Expected` for one report: what the reference found, beside the checksum of that report's own content. */
export function expectedFor({ expected }: Extract<Truth, { ok: true }>, report: unknown): Expected {
  const fields = fieldsOf(report);
  // The very same figures have the same text, and so the same checksum.
  const isExpected = FIGURES.every((part) => fields[part] === expected.figures[part]);
  return {
    ...expected,
    contentChecksum: isExpected ? expected.checksum : contentChecksum(report, nodeSha256),
  };
}

/** Health over a report that exists (§5): 3 where contract or policy are unavailable, 2 where the facts are. */
export async function judgeReportFile(
  files: { contract: string; policy: string; input: string; report: string },
  reading: Reading,
  streamedFromBytes = STREAMED_FROM_BYTES,
): Promise<HealthResult> {
  const documents = await loadDocuments(files);
  if (!documents.ok) return unjudged(3, documentsUnavailable(documents.problems).message);
  const unavailable = (message: string) => unjudged(2, `Report unavailable: ${files.report}: ${message}`);
  // Of a large report nothing need be parsed where its text is found to be the expected one.
  const early = (await fileBytes(files.report).catch(() => 0)) < streamedFromBytes;
  const whole = early ? await readReportRows(files.report, streamedFromBytes) : null;
  if (whole?.ok === false) return unavailable(whole.message);
  const truth = await findTruth(documents.value, files.input, reading);
  if (!truth.ok) return unjudged(truth.problem.status, truth.problem.message);
  const report = whole ?? (await readBeside(files.report, truth.reference));
  if (!report.ok) return unavailable(report.message);
  return compareReport(report.value, expectedFor(truth, report.value));
}

/**
 * A large report: the expected figures themselves where it begins with their text, else what it holds, by streaming. So
 * most reports of ten million rows take no memory besides the recomputation's.
 */
export async function readBeside(
  path: string,
  { figures, text_bytes, text_sha256 }: Extract<ReferenceResult, { ok: true }>,
): Promise<ReportRead> {
  const isAlike = (await figuresDigest(path, text_bytes)) === text_sha256;
  const rest = isAlike ? await fieldsBehind(path, text_bytes) : null;
  return rest === null ? await readReportRows(path, 0) : { ok: true, value: { ...rest, ...figures } };
}
