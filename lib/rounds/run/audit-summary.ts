import type { ReportedFigures, RoundSummary } from "../../../contract/round-view.ts";
import type { SignalBoard } from "../../../contract/signals.ts";
import { acceptReport, tallyCriteria } from "../../acceptance/accept-report.ts";
import { fieldOf } from "../../health/check.ts";
import { signalBoard } from "../../health/signal-board.ts";
import type { AuditedRound } from "./audit-round.ts";
import { type ProbeFinding, runProbe } from "./find-signals.ts";
import type { RoundFiles } from "./run-round.ts";
import { unservedBy } from "./unserved-tenants.ts";
import { arrivalSpan, verdictSeries } from "./verdict-series.ts";

type Reading = Parameters<typeof runProbe>[1];

/** A figure as a foreign report has it; null where it has none that is a number. */
function numbersOf<Field extends string>(
  part: unknown,
  fields: readonly Field[],
): { [field in Field]: number | null } {
  const found = fields.map((field) => {
    const value = fieldOf(part, field);
    return [field, typeof value === "number" ? value : null];
  });
  return Object.fromEntries(found) as { [field in Field]: number | null };
}

const reportedFigures = (report: unknown): ReportedFigures => ({
  counts: numbersOf(fieldOf(report, "counts"), ["accepted", "queued", "rejected", "reserve_breached"]),
  totals: numbersOf(fieldOf(report, "totals"), ["capacity", "used", "over_capacity"]),
});

/** What an audit came to, but for its signals and how its view was kept. */
export type AuditFindings = Omit<RoundSummary, "board" | "probe" | "acceptance" | "matches_kept">;

/** What of an audit its signals are found by. */
export type JudgedAudit = Pick<
  AuditedRound,
  "documents" | "columns" | "report" | "contentChecksum" | "truth"
>;

/**
 * The five signals of a report that was made elsewhere (§5.5): what nobody told is not found, and so is not green. The
 * recomputation's rows are not needed.
 * @param skipped lines that were left out
 */
export async function auditSignals(
  { documents, columns, report, contentChecksum, truth }: JudgedAudit,
  skipped: number,
  files: RoundFiles,
  reading: Reading,
  exit: number | null,
): Promise<{ board: SignalBoard; probe: ProbeFinding; acceptance: RoundSummary["acceptance"] }> {
  const probe = await runProbe(files, reading);
  const { contract, policy } = documents;
  const acceptance = acceptReport({ contract, policy, columns, report, contentChecksum });
  const ok = fieldOf(report, "ok");
  const board = signalBoard({
    report: typeof ok === "boolean" ? ok : null,
    exit,
    health: { ...truth, skipped },
    probe,
    acceptance: tallyCriteria(acceptance),
    true_mismatches: truth.checks === 0 ? null : truth.mismatches + truth.indeterminate,
  });
  return { board, probe, acceptance };
}

/** What an audit came to. Figures that the report lacks are null; over time it shows what the reference decides. */
export function auditFindings(round: AuditedRound, exit: number | null): AuditFindings {
  const { columns, places, report, truth, recomputed } = round;
  const { figures, checksum, skipped } = recomputed.reference;
  const { status, checks, mismatches, indeterminate } = truth;
  const found = { status, checks, mismatches, indeterminate };
  const ok = fieldOf(report, "ok");
  const reported = fieldOf(report, "checksum");
  return {
    counts: figures.counts,
    totals: figures.totals,
    reported: reportedFigures(report),
    reference_counts: figures.counts,
    reference_totals: figures.totals,
    ok: typeof ok === "boolean" ? ok : null,
    exit_status: exit,
    checksum: typeof reported === "string" ? reported : null,
    reference_checksum: checksum,
    requests: columns.count,
    tenants: Object.keys(figures.per_tenant).length,
    unserved: unservedBy(columns, round.documents.policy),
    span_ms: arrivalSpan(columns),
    skipped,
    health: found,
    truth: found,
    table: truth.table,
    series: verdictSeries(
      columns.count,
      (at) => columns.arrivalMs[places[at]!]!,
      (at) => figures.decisions.at(at)!.verdict,
    ),
  };
}
