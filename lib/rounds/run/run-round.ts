import type { HealthResult } from "../../../contract/health.ts";
import { PROBLEMS_SHOWN } from "../../../contract/limits.ts";
import type { Report, ReportInput } from "../../../contract/report.ts";
import type { Reading, RequestColumns } from "../../../contract/request.ts";
import type { PhaseProgress, RoundProblem } from "../../../contract/round-view.ts";
import { decideRound, type KeptOutcome, letGoGroups } from "../../engine/decide-round.ts";
import type { Rules } from "../../engine/rules.ts";
import { ReportWriter } from "../../engine/write-report.ts";
import { injectFaults } from "../../faults/inject-faults.ts";
import type { SignalRules } from "../../faults/signal-rules.ts";
import type { Expected } from "../../health/check.ts";
import { CHECK_TABLE } from "../../health/check-table.ts";
import { compareReport } from "../../health/compare-report.ts";
import { unjudged } from "../../health/status.ts";
import type { StreamReading } from "../../ingest/canonical-stream.ts";
import { writeBlocksAtomic } from "../../store/atomic-file.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { goFirst } from "../process/thread-priority.ts";
import { documentsUnavailable, streamRefused, streamUnavailable } from "../round-problem.ts";
import { sha256Of } from "../sha256.ts";
import { type Documents, defaultDocuments, loadDocuments } from "./documents.ts";
import { type HashingThread, hashingBeside } from "./hashing-beside.ts";
import { expectedFor, type Truth, truthFrom, withExpectedFigures } from "./judge-report.ts";
import { type FileReading, readStreamFile } from "./read-stream-file.ts";
import { type Recomputing, type RoundRecomputation, recomputation } from "./recompute-beside.ts";
import { figuresDigest } from "./report-mirror.ts";

export interface RoundFiles {
  contract: string;
  policy: string;
  input: string;
  /** Where the report is written. */
  report: string;
}

export interface RoundOptions {
  reading: Reading;
  /** Ids of §6. */
  faults: readonly string[];
  /** Keep each group's arithmetic as the reference finds it, for the pages; the engine's is found again (`tracedAgain`). */
  trace?: boolean;
  /** When the reference recomputes; absent: by the size of the stream. */
  recomputing?: Recomputing;
  onProgress?: (progress: PhaseProgress) => void;
}

/** A decided round with its report on disk, and what health claims of it beside what is true. */
export interface DecidedRound {
  kind: "decided";
  documents: Documents;
  columns: RequestColumns;
  outcome: KeptOutcome;
  report: Report;
  /** The checksum of the report's own content, found apart from the engine; null where it could not be. */
  contentChecksum: string | null;
  /** Health as the service claims it: faults of signals are in force. */
  health: HealthResult;
  /** Health as it truly is (§6: the recomputation that is shown is always the true one). */
  truth: HealthResult;
  recomputed: Truth;
  /** The status with which the round ends (§5.4): of what is true, whatever health claims; `exit-zero` is in force. */
  status: number;
}

/** Nothing was decided; no report was written. */
export interface RefusedRound {
  kind: "refused";
  problem: RoundProblem;
  /** The status with which the round ends; the fault `exit-zero` is in force. */
  status: number;
}

/** A stream that was read, or why it is refused. */
type StreamRead = { ok: true; stream: StreamReading } | { ok: false; problem: RoundProblem };

/** Reads the stream by the engine's own reader (§1.3); strict reading refuses bad lines. */
export async function readStream(
  files: Pick<RoundFiles, "input">,
  reading: Reading,
  how?: FileReading,
): Promise<StreamRead> {
  try {
    const stream = await readStreamFile(files.input, how);
    if (reading === "strict" && stream.problemCount > 0)
      return { ok: false, problem: streamRefused(files.input, stream.problems, stream.problemCount) };
    return { ok: true, stream };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { ok: false, problem: streamUnavailable(error.file, error.message) };
  }
}

function reportInput(documents: Documents, stream: StreamReading): ReportInput {
  return {
    contract_sha256: sha256Of(documents.contractBytes),
    policy_sha256: sha256Of(documents.policyBytes),
    stream_sha256: stream.sha256,
    requests: stream.columns.count,
    skipped: { count: stream.problemCount, lines: stream.problems.slice(0, PROBLEMS_SHOWN) },
  };
}

/**
 * Health as a service with these signal rules would claim it (§6); the honest rules claim the truth.
 * @param known `expectedFor` of the report, where it was found already: over ten million decisions that takes seconds
 */
export function claimHealth(
  report: Report,
  truth: Truth,
  signals: SignalRules,
  known: Expected | null = null,
): HealthResult {
  if (!truth.ok) return unjudged(truth.problem.status, truth.problem.message);
  const expected =
    signals.expectedFrom === "reference" ? (known ?? expectedFor(truth, report)) : believe(report);
  const { table, emptyPasses } = signals.checks(CHECK_TABLE);
  const health = compareReport(report, expected, table);
  return emptyPasses && table.length === 0 ? { ...health, degraded: false, status: 0 } : health;
}

/** Whether no fault stands between what health finds and what it claims. */
function isHonest(signals: SignalRules): boolean {
  return signals.expectedFrom === "reference" && signals.checks(CHECK_TABLE).table === CHECK_TABLE;
}

/** The fault `self-reference` (§6): what the report says is taken for what is expected. */
function believe(report: Report): Expected {
  return {
    figures: report,
    checksum: report.checksum,
    input: report.input,
    contentChecksum: report.checksum,
  };
}

/** What a round is decided from, how, and who is told. */
interface Course {
  files: RoundFiles;
  documents: Documents;
  streamRead: Promise<StreamRead>;
  hashing: HashingThread | null;
  reference: RoundRecomputation;
  rules: Rules;
  progress: (progress: PhaseProgress) => void;
}

/** A decided round whose report is on the disk; nothing was checked yet. */
interface WrittenRound {
  columns: RequestColumns;
  outcome: KeptOutcome;
  report: Report;
  /** Bytes of the canonical text of its figures. */
  text_bytes: number;
}

/** Decides by the stream, and writes the report; or why the stream is refused. */
async function writeRound(
  course: Course,
): Promise<{ ok: true; written: WrittenRound } | { ok: false; problem: RoundProblem }> {
  const { files, documents, streamRead, hashing, rules, progress } = course;
  const read = await streamRead;
  if (!read.ok) return read;
  const { stream } = read;
  const { bytes } = stream;
  progress({ phase: "read", done: bytes, total: bytes, unit: "bytes" });
  const total = stream.columns.count;
  progress({ phase: "decide", done: 0, total, unit: "requests" });
  const outcome = decideRound(documents.contract, documents.policy, stream.columns, rules);
  const onWritten = (done: number) => progress({ phase: "write", done, total, unit: "requests" });
  onWritten(0);
  const writer = new ReportWriter(outcome, reportInput(documents, stream));
  await writeBlocksAtomic(files.report, (file) =>
    hashing === null ? writer.blocks(onWritten) : writer.blocksBeside(hashing.follow(file), onWritten),
  );
  const { text_bytes } = writer.digests();
  const written = {
    columns: stream.columns,
    outcome: letGoGroups(outcome),
    report: writer.report(),
    text_bytes,
  };
  return { ok: true, written };
}

/** What the reference found, and the report in the form it is compared in: its figures are the expected ones where its text is theirs. */
async function judgeWritten(
  { files, documents, reference, progress }: Course,
  { report, text_bytes, columns }: WrittenRound,
): Promise<{ recomputed: Truth; compared: Report }> {
  const onRequests = (done: number) =>
    progress({ phase: "recompute", done, total: columns.count, unit: "requests" });
  onRequests(0);
  const [recomputed, digest] = await Promise.all([
    truthFrom(documents, files.input, reference.result(onRequests)),
    figuresDigest(files.report, text_bytes),
  ]);
  progress({ phase: "compare", done: 0, total: null, unit: "checks" });
  const isMirrored = recomputed.ok && digest === recomputed.reference.text_sha256;
  return { recomputed, compared: isMirrored ? withExpectedFigures(report, recomputed) : report };
}

/**
 * Runs a round (§3) over files, writes its report (§4), then checks it (§5).
 * A contract or policy that is unavailable, a stream that is missing or refused: nothing is decided, no report written.
 */
export async function runRound(
  files: RoundFiles,
  options: RoundOptions,
): Promise<DecidedRound | RefusedRound> {
  const { rules, signals } = injectFaults([...options.faults]);
  const { reading, recomputing, trace = false, onProgress: progress = () => {} } = options;
  const refuse = (problem: RoundProblem): RefusedRound => ({
    kind: "refused",
    problem,
    status: signals.exitStatus(problem.status),
  });

  progress({ phase: "read", done: 0, total: null, unit: "bytes" });
  const ending = new AbortController();
  const hashing = await hashingBeside(files.input);
  if (hashing !== null) goFirst();
  // It begins before the documents are there: while those are read, a second thread starts.
  const onBytes = (done: number, total: number) => progress({ phase: "read", done, total, unit: "bytes" });
  const streamRead = readStream(files, reading, { onBytes, signal: ending.signal, hashing });
  let reference: RoundRecomputation | null = null;
  try {
    const loaded = await loadDocuments(files);
    if (!loaded.ok && signals.unavailable === "fail") return refuse(documentsUnavailable(loaded.problems));
    const documents = loaded.ok ? loaded.value : defaultDocuments();
    const { contract, policy } = documents;
    reference = await recomputation({ contract, policy, input: files.input, reading, trace }, recomputing);
    const course: Course = { files, documents, streamRead, hashing, reference, rules, progress };
    const decided = await writeRound(course);
    if (!decided.ok) return refuse(decided.problem);
    const { columns, outcome, report } = decided.written;
    const { recomputed, compared } = await judgeWritten(course, decided.written);
    const expected = recomputed.ok ? expectedFor(recomputed, compared) : null;
    // Where the documents were replaced by defaults the true facts are unavailable, whatever the service claims.
    const truth = loaded.ok
      ? recomputed.ok
        ? compareReport(compared, expected!)
        : unjudged(recomputed.problem.status, recomputed.problem.message)
      : unjudged(3, documentsUnavailable(loaded.problems).message);
    // Honest health claims what is true: comparing a second time would find it again.
    const health =
      loaded.ok && isHonest(signals) ? truth : claimHealth(report, recomputed, signals, expected);
    return {
      kind: "decided",
      documents,
      columns,
      outcome,
      report,
      contentChecksum: expected?.contentChecksum ?? null,
      health,
      truth,
      recomputed,
      // A fault of a signal falsifies that signal alone (§6): what the lamp of health claims does not reach the exit.
      // Only where documents were replaced by defaults is the status what was found over those.
      status: signals.exitStatus(loaded.ok ? truth.status : health.status),
    };
  } finally {
    ending.abort();
    await Promise.allSettled([streamRead, reference?.stop()]);
    await hashing?.stop();
  }
}
