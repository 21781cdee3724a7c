import type { ImportSummary } from "../../contract/mapping.ts";
import type {
  AuditFacts,
  PhaseProgress,
  RoundPhase,
  RoundProblem,
  RoundProgress,
  RoundSummary,
} from "../../contract/round-view.ts";
import { groupRows } from "../engine/group-rows.ts";
import { verdictOf } from "../engine/verdict.ts";
import { places } from "../health/compare-report.ts";
import { noiseFacts } from "../recheck/noise-facts.ts";
import { MATCHES_KEPT, placeRow } from "../recheck/place-row.ts";
import { DECISIONS, GROUPS, PLACES, RoundViewWriter, TENANTS } from "../store/view-schema.ts";
import { type AuditedRound, auditRound } from "./audit-round.ts";
import { auditDecisionRows, auditTenantRows } from "./audit-rows.ts";
import { auditSummary } from "./audit-summary.ts";
import { findSignals } from "./find-signals.ts";
import { importForRound } from "./import-stream.ts";
import { expectedFor } from "./judge-report.ts";
import type { RoundJob, RoundMessage } from "./round-message.ts";
import { decisionRows, sourced, tenantRows } from "./round-view-rows.ts";
import { type DecidedRound, runRound } from "./run-round.ts";
import { arrivalSpan, verdictSeries } from "./verdict-series.ts";

const say = (message: RoundMessage): void => {
  process.send?.(message);
};

let phase: RoundPhase | null = null;
let started_at_ms = 0;
const past: RoundProgress["past"] = [];

/** Progress is told no oftener than people can read it. */
const TELL_EVERY_MS = 100;
let told_at_ms = 0;

function report(progress: PhaseProgress): void {
  const now_ms = Date.now();
  if (progress.phase !== phase) {
    if (phase !== null) past.push({ phase, took_ms: now_ms - started_at_ms });
    phase = progress.phase;
    started_at_ms = now_ms;
  } else if (now_ms - told_at_ms < TELL_EVERY_MS) return;
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

/** Writes the places of a comparison; false where there are too many to keep those that match. */
function writePlaces(view: RoundViewWriter, round: DecidedRound | AuditedRound): boolean {
  const { truth, recomputed, report } = round;
  const keepsMatches = truth.checks <= MATCHES_KEPT;
  if (!recomputed.ok) return keepsMatches;
  const { figures, groups } = recomputed.reference;
  view.add(GROUPS, sourced("reference", groups));
  const facts = noiseFacts(round.documents.policy, figures, groups);
  let position = 0;
  const rows = function* () {
    for (const place of places(report, expectedFor(recomputed, report)))
      if (keepsMatches || place.result !== "match") yield placeRow(place, position++, facts);
  };
  view.add(PLACES, rows());
  return keepsMatches;
}

function writeAuditView(round: AuditedRound, path: string): boolean {
  const view = new RoundViewWriter(path);
  view.add(TENANTS, auditTenantRows(round));
  view.add(DECISIONS, auditDecisionRows(round));
  const keepsMatches = writePlaces(view, round);
  view.finish();
  return keepsMatches;
}

function writeView(round: DecidedRound, path: string): boolean {
  const view = new RoundViewWriter(path);
  const { outcome } = round;
  view.add(TENANTS, tenantRows(outcome, round.report));
  view.add(DECISIONS, decisionRows(outcome, round.report));
  view.add(GROUPS, sourced("engine", groupRows(outcome)));
  const keepsMatches = writePlaces(view, round);
  view.finish();
  return keepsMatches;
}

function summarise(
  round: DecidedRound,
  signals: Awaited<ReturnType<typeof findSignals>>,
  matches_kept: boolean,
): RoundSummary {
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
    span_ms: arrivalSpan(columns),
    skipped: written.input.skipped,
    board: signals.board,
    health: found(health),
    truth: found(truth),
    probe: signals.probe,
    acceptance: signals.acceptance,
    table: truth.table,
    series,
    matches_kept,
  };
}

/** An audit: the report is there, and is judged as it is. */
async function workOnAudit(
  job: RoundJob,
  { exit_status }: AuditFacts,
  imported: ImportSummary | null,
): Promise<RoundMessage> {
  const { files, reading } = job;
  const round = await auditRound(files, { reading, onProgress: report });
  if (round.kind === "refused") return { kind: "refused", problem: renamed(round.problem, job), imported };
  report({ phase: "probe", done: 0, total: null, unit: "steps" });
  const summary = await auditSummary(round, files, reading, exit_status);
  report({ phase: "store", done: 0, total: null, unit: "rows" });
  const matches_kept = writeAuditView(round, job.view);
  return { kind: "done", summary: { ...summary, matches_kept }, imported };
}

async function work(job: RoundJob): Promise<RoundMessage> {
  const { files, reading, faults } = job;
  const imported = job.log === null ? null : await importForRound(job.log, files.input, reading, report);
  if (imported !== null && !imported.ok)
    return { kind: "refused", problem: renamed(imported.problem, job), imported: imported.summary };
  const log = imported?.summary ?? null;
  if (job.audit !== null) return workOnAudit(job, job.audit, log);
  const round = await runRound(files, { reading, faults, trace: true, onProgress: report });
  if (round.kind === "refused")
    return { kind: "refused", problem: renamed(round.problem, job), imported: log };
  report({ phase: "probe", done: 0, total: null, unit: "steps" });
  const signals = await findSignals(round, files, reading);
  report({ phase: "store", done: 0, total: null, unit: "rows" });
  const matchesKept = writeView(round, job.view);
  return { kind: "done", summary: summarise(round, signals, matchesKept), imported: log };
}

// The parent is gone: nobody would take over what is made here.
process.on("disconnect", () => process.exit(1));
process.once("message", async (job: RoundJob) => {
  try {
    say(await work(job));
    process.disconnect();
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
