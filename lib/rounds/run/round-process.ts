import type { ImportSummary } from "../../../contract/mapping.ts";
import type {
  AuditFacts,
  PhaseProgress,
  RoundPhase,
  RoundProblem,
  RoundProgress,
  RoundSummary,
} from "../../../contract/round-view.ts";
import { verdictOf } from "../../engine/verdict.ts";
import { fieldOf } from "../../health/check.ts";
import { writeOrders } from "../../store/view-orders.ts";
import { importForRound } from "../logs/import-stream.ts";
import { answerParent } from "../process/answer-parent.ts";
import { auditRound } from "./audit-round.ts";
import { type AuditFindings, auditFindings, auditSignals, type JudgedAudit } from "./audit-summary.ts";
import { findSignals, type JudgedRound } from "./find-signals.ts";
import type { RoundJob, RoundMessage } from "./round-message.ts";
import { type DecidedRound, type RefusedRound, runRound } from "./run-round.ts";
import { unservedIn } from "./unserved-tenants.ts";
import { arrivalSpan, verdictSeries } from "./verdict-series.ts";
import { writeView } from "./write-view.ts";

const say = (message: RoundMessage): void => {
  process.send?.(message);
};

let phase: RoundPhase | null = null;
let started_at_ms = 0;
const past: RoundProgress["past"] = [];

/** Progress is told no oftener than people can read it. */
const TELL_EVERY_MS = 100;
let told_at_ms = 0;

/** @param isRare whether it is told however shortly before something was */
function report(progress: PhaseProgress, isRare = false): void {
  const now_ms = Date.now();
  if (progress.phase !== phase) {
    if (phase !== null) past.push({ phase, took_ms: now_ms - started_at_ms });
    phase = progress.phase;
    started_at_ms = now_ms;
  } else if (!isRare && now_ms - told_at_ms < TELL_EVERY_MS) return;
  told_at_ms = now_ms;
  say({ kind: "progress", progress: { ...progress, started_at_ms, past } });
}

/** Messages name files as the user knows them, not by their digests. */
function renamed(problem: RoundProblem, job: RoundJob): RoundProblem {
  const names = new Map(
    (["contract", "policy", "input"] as const).map((part): [string, string] => [
      job.files[part],
      job.names[part],
    ]),
  );
  if (job.audit !== null) names.set(job.files.report, job.audit.report_name);
  if (job.log !== null) names.set(job.log.path, job.names.input);
  const rename = (text: string) =>
    [...names].reduce((said, [path, name]) => said.replaceAll(path, name), text);
  return {
    ...problem,
    message: rename(problem.message),
    documents: problem.documents.map((document) => ({ ...document, file: rename(document.file) })),
  };
}

/** What a round came to, but for its signals and how its view was kept. */
type RoundFacts = Omit<RoundSummary, "board" | "probe" | "acceptance" | "matches_kept">;

function factsOf(round: DecidedRound): RoundFacts {
  const { report: written, health, truth, columns, outcome, recomputed } = round;
  if (!recomputed.ok) throw new Error(recomputed.problem.message);
  const { decisions, groups, order, unserved } = outcome;
  const request = (at: number) => (at < order.length ? order[at]! : unserved[at - order.length]!);
  const series = verdictSeries(
    columns.count,
    (at) => columns.arrivalMs[request(at)]!,
    (at) => (at < order.length ? verdictOf(decisions.step[groups.ofDispatched[at]!]!) : "rejected"),
  );
  const found = ({ status, checks, mismatches, indeterminate }: typeof health) => ({
    status,
    checks,
    mismatches,
    indeterminate,
  });
  return {
    counts: written.counts,
    totals: written.totals,
    reference_counts: recomputed.reference.figures.counts,
    reference_totals: recomputed.reference.figures.totals,
    ok: written.ok,
    exit_status: round.status,
    checksum: written.checksum,
    reference_checksum: recomputed.reference.checksum,
    requests: columns.count,
    tenants: outcome.buckets.count,
    unserved: unservedIn(columns, outcome),
    span_ms: arrivalSpan(columns),
    skipped: written.input.skipped,
    health: found(health),
    truth: found(truth),
    table: truth.table,
    series,
  };
}

/** A decided round whose rows are in its view. */
interface StoredRound {
  kind: "stored";
  judged: JudgedRound;
  facts: RoundFacts;
  matches_kept: boolean;
}

/** @param onReferenceWritten told once the view asks for no row of the recomputation any more */
async function storeView(
  round: Parameters<typeof writeView>[0],
  job: RoundJob,
  onReferenceWritten: () => void,
): Promise<boolean> {
  report({ phase: "store", done: 0, total: null, unit: "rows" });
  return writeView(round, job.view, report, { onReferenceWritten });
}

/**
 * Decides a round and writes its view. What it gives holds nothing of the recomputation's rows: of ten million requests
 * they are hundreds of megabytes, in whose place the criteria lay out theirs.
 */
async function decideAndStore(job: RoundJob): Promise<StoredRound | RefusedRound> {
  const { files, reading, faults } = job;
  const round = await runRound(files, { reading, faults, trace: true, onProgress: report });
  if (round.kind === "refused") return round;
  const { documents, columns, report: written, contentChecksum, health, truth, status, recomputed } = round;
  const judged = { documents, columns, report: written, contentChecksum, health, truth, status };
  const facts = factsOf(round);
  const matches_kept = await storeView(round, job, () => recomputed.ok && recomputed.reference.letGo());
  return { kind: "stored", judged, facts, matches_kept };
}

/** An audit whose rows are in its view. */
interface StoredAudit {
  kind: "stored";
  judged: JudgedAudit;
  findings: AuditFindings;
  matches_kept: boolean;
}

/** Judges a report that was made elsewhere and writes its view. What it gives holds nothing that only the view needs. */
async function auditAndStore(
  job: RoundJob,
  { exit_status }: AuditFacts,
): Promise<StoredAudit | RefusedRound> {
  const { files, reading } = job;
  const round = await auditRound(files, { reading, onProgress: report });
  if (round.kind === "refused") return round;
  const { documents, columns, report: judgedReport, contentChecksum, truth, recomputed } = round;
  const findings = auditFindings(round, exit_status);
  // A report that is the expected one to the byte has no rows of its own: those stay until it is judged.
  const isMirrored = fieldOf(judgedReport, "decisions") === recomputed.reference.figures.decisions;
  const letGo = () => isMirrored || recomputed.reference.letGo();
  const matches_kept = await storeView(round, job, letGo);
  const judged = { documents, columns, report: judgedReport, contentChecksum, truth };
  return { kind: "stored", judged, findings, matches_kept };
}

/** An audit: the report is there, and is judged as it is. */
async function workOnAudit(
  job: RoundJob,
  facts: AuditFacts,
  imported: ImportSummary | null,
): Promise<RoundMessage> {
  const { files, reading } = job;
  const round = await auditAndStore(job, facts);
  if (round.kind === "refused") return { kind: "refused", problem: renamed(round.problem, job), imported };
  await writeOrders(job.view.files, job.view.temporary);
  // A round that was finished before lacks its view alone: what it came to is known.
  if (job.viewOnly) return { kind: "viewed" };
  report({ phase: "probe", done: 0, total: null, unit: "steps" });
  const { findings, judged, matches_kept } = round;
  const signals = await auditSignals(judged, findings.skipped.count, files, reading, facts.exit_status);
  return { kind: "done", summary: { ...findings, ...signals, matches_kept }, imported };
}

async function work(job: RoundJob): Promise<RoundMessage> {
  const { files, reading } = job;
  const imported = job.log === null ? null : await importForRound(job.log, files.input, reading, report);
  if (imported !== null && !imported.ok)
    return { kind: "refused", problem: renamed(imported.problem, job), imported: imported.summary };
  const log = imported?.summary ?? null;
  if (job.audit !== null) return workOnAudit(job, job.audit, log);
  const round = await decideAndStore(job);
  if (round.kind === "refused")
    return { kind: "refused", problem: renamed(round.problem, job), imported: log };
  // Now that the recomputation's rows are let go.
  await writeOrders(job.view.files, job.view.temporary);
  if (job.viewOnly) return { kind: "viewed" };
  const { facts, judged, matches_kept } = round;
  const signals = await findSignals(judged, files, reading, (done, total) =>
    report({ phase: "probe", done, total, unit: "steps" }, true),
  );
  return { kind: "done", summary: { ...facts, ...signals, matches_kept }, imported: log };
}

answerParent(work);
