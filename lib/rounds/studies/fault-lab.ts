import { join } from "node:path";
import type { FaultRow, FaultStudy, FirstDifference } from "../../../contract/fault-study.ts";
import type { HealthIssue } from "../../../contract/health.ts";
import type { PlaceSection } from "../../../contract/round-view.ts";
import type { StudyProgress } from "../../../contract/study.ts";
import { decideRound, tracedAgain } from "../../engine/decide-round.ts";
import { ReportWriter } from "../../engine/write-report.ts";
import { injectFaults } from "../../faults/inject-faults.ts";
import { CHECK_TABLE } from "../../health/check-table.ts";
import { compareReport } from "../../health/compare-report.ts";
import { readColumns } from "../../ingest/canonical-stream.ts";
import { writeBlocksAtomic, writeFileAtomic } from "../../store/atomic-file.ts";
import { readInputFile } from "../../store/read-file.ts";
import { streamRefused } from "../round-problem.ts";
import { findSignals } from "../run/find-signals.ts";
import { expectedFor } from "../run/judge-report.ts";
import { claimHealth, type DecidedRound, type RoundFiles, runRound } from "../run/run-round.ts";
import { LAB_ROWS, type LabRow, labRows } from "./fault-rows.ts";
import { knownRounds } from "./known-rounds.ts";
import { type ListedRequest, listRequests, streamText } from "./request-list.ts";
import { type KnownRound, smallestPart, smallestShowing } from "./showing-stream.ts";
import type { StudyInputs } from "./study-message.ts";
import { survivorReason } from "./survivor-reason.ts";

export interface LabOptions {
  /** Ids of `LAB_ROWS`. */
  rows: readonly string[];
  /** Valid requests that are studied, at most: a longer stream is cut, and the study says so. */
  most_requests: number;
  /** A folder for reports, and for a stream that was cut. */
  folder: string;
  /** Whether the stream was made for this study, and is not stored otherwise. */
  isMade?: boolean;
  onProgress?: (progress: StudyProgress) => void;
}

export type LabResult =
  | {
      ok: true;
      study: FaultStudy;
      /** The stream that was studied, where it is not the one that is stored. */
      stream: string | null;
    }
  | { ok: false; message: string };

/** What every row is tried on. */
interface Bench {
  honest: DecidedRound;
  files: RoundFiles;
  requests: ListedRequest[];
  known: KnownRound[];
}

const decide = async (files: RoundFiles, faults: readonly string[]): Promise<DecidedRound> => {
  const round = await runRound(files, { reading: "strict", faults });
  if (round.kind === "refused") throw new Error(round.problem.message);
  return round;
};

/** A round with faults over inputs that were read and recomputed already: only what a fault can change is done again. */
async function decideAgain({ honest, files }: Bench, faults: readonly string[]): Promise<DecidedRound> {
  const { documents, columns, recomputed } = honest;
  if (!recomputed.ok) throw new Error(recomputed.problem.message);
  const { rules, signals } = injectFaults(faults);
  const outcome = decideRound(documents.contract, documents.policy, columns, rules);
  const writer = new ReportWriter(outcome, honest.report.input);
  await writeBlocksAtomic(files.report, () => writer.blocks());
  const report = writer.report();
  const expected = expectedFor(recomputed, report);
  const truth = compareReport(report, expected);
  const health = claimHealth(report, recomputed, signals);
  const { contentChecksum } = expected;
  const status = signals.exitStatus(health.status);
  return { ...honest, outcome, report, contentChecksum, truth, health, status };
}

function firstDifference(issue: HealthIssue | undefined): FirstDifference | null {
  if (issue === undefined) return null;
  const text = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const section: PlaceSection = CHECK_TABLE.find(({ id }) => id === issue.check)?.section ?? "report";
  return {
    path: issue.path,
    clause: issue.clause,
    section,
    reported: text(issue.reported),
    expected: text(issue.expected),
  };
}

/** A row whose faults changed something: the five signals, found by their own paths, and what truly differs. */
async function shownRow(
  row: LabRow,
  faults: readonly string[],
  round: DecidedRound,
  files: RoundFiles,
  note: string,
) {
  const { board } = await findSignals(round, files, "strict");
  const { truth } = round;
  return {
    ...row,
    faults: [...faults],
    shows: true,
    note,
    signals: board.signals,
    differences: truth.mismatches + truth.indeterminate,
    first: firstDifference(truth.issues[0]),
    smallest: null,
  } satisfies FaultRow;
}

const survivor = (row: LabRow, note: string): FaultRow => ({
  ...row,
  faults: [...row.faults],
  shows: false,
  note,
  signals: [],
  differences: 0,
  first: null,
  smallest: null,
});

/** Faults of rules, one or several: whether the report is another, and the smallest stream on which it is. */
async function ruleRow(bench: Bench, row: LabRow): Promise<FaultRow> {
  const { documents, outcome } = bench.honest;
  const round = await decideAgain(bench, row.faults);
  const isChanged = round.report.checksum !== bench.honest.report.checksum;
  const { rules } = injectFaults(row.faults);
  if (isChanged)
    return {
      ...(await shownRow(row, row.faults, round, bench.files, "")),
      smallest: await smallestPart(documents, bench.requests, rules),
    };
  const { contract, policy } = documents;
  const note = survivorReason(row.id, { contract, policy, outcome: tracedAgain(contract, policy, outcome) });
  return { ...survivor(row, note), smallest: await smallestShowing(documents, rules, bench.known) };
}

/** What a fault of a signal needs beside it, to have something to hide. */
interface Hiding {
  needs: (round: DecidedRound) => boolean;
  /** Why nothing is there to hide. */
  without: string;
}

const ANY_FINDING: Hiding = {
  needs: ({ truth }) => truth.mismatches + truth.indeterminate > 0,
  without: "No known fault changes anything on this stream: there is nothing for it to hide.",
};

const HIDES: ReadonlyMap<string, Hiding> = new Map([
  [
    "hardcoded-ok",
    {
      needs: ({ report }) => !report.ok,
      without:
        "No known fault makes the report's own claim false on this stream: the constant true says what is true.",
    },
  ],
  ["exit-zero", ANY_FINDING],
  ["empty-checks", ANY_FINDING],
  ["self-reference", ANY_FINDING],
]);

/** The first fault of a rule that gives a fault of a signal something to hide. */
async function companionFor(bench: Bench, { needs }: Hiding): Promise<LabRow | null> {
  for (const row of LAB_ROWS)
    if (row.kind === "rule" && needs(await decideAgain(bench, row.faults))) return row;
  return null;
}

/** Whether a row is a fault that shows only beside others, or where documents are unavailable. */
const hidesOthers = ({ id }: LabRow): boolean => HIDES.has(id) || id === "fail-open";

/** A fault that hides others: beside the first fault that it hides, since on an honest round it hides nothing. */
async function hidingRow(bench: Bench, row: LabRow): Promise<FaultRow> {
  if (row.id === "fail-open") {
    const files = { ...bench.files, contract: join(bench.files.report, "..", "no-such-contract.json") };
    const round = await decide(files, row.faults);
    const note = "Tried with the contract taken away: no stream shows it otherwise.";
    return shownRow(row, row.faults, round, files, note);
  }
  const hides = HIDES.get(row.id);
  if (hides === undefined) throw new Error(`the fault lab knows no way to try ${row.id}`);
  const companion = await companionFor(bench, hides);
  if (companion === null) return survivor(row, hides.without);
  const faults = [companion.id, row.id];
  const round = await decideAgain(bench, faults);
  return shownRow(row, faults, round, bench.files, `Tried beside “${companion.title}”, which it hides.`);
}

/** The stream to be studied, from a reading of it: as given, or cut and without bad lines, written to a file of its own. */
async function studiedStream(inputs: StudyInputs, options: LabOptions) {
  const { columns, problems, problemCount } = await readColumns(readInputFile(inputs.input));
  if (inputs.reading === "strict" && problemCount > 0)
    return { ok: false as const, message: streamRefused(inputs.input, problems, problemCount).message };
  const all = listRequests(columns);
  const requests = all.slice(0, options.most_requests);
  const cut_from = requests.length < all.length ? all.length : null;
  const found = { ok: true as const, requests, cut_from, skipped: problemCount };
  if (cut_from === null && problemCount === 0)
    return { ...found, input: inputs.input, stream: options.isMade ? inputs.input : null };
  const stream = join(options.folder, "stream.jsonl");
  await writeFileAtomic(stream, [streamText(requests)]);
  return { ...found, input: stream, stream };
}

/**
 * Tries faults on a stream (§6): each row by the engine with the fault, the five signals by their own paths, and the
 * smallest stream that shows it. A stream that is refused is no study.
 */
export async function runFaultLab(inputs: StudyInputs, options: LabOptions): Promise<LabResult> {
  const rows = labRows(options.rows);
  const progress = options.onProgress ?? (() => {});
  progress({ phase: "Decide the stream without any fault", done: 0, total: rows.length });
  const studied = await studiedStream(inputs, options);
  if (!studied.ok) return studied;
  const { requests, cut_from, skipped, stream, input } = studied;
  const files = { ...inputs, input, report: join(options.folder, "report.json") };
  const round = await runRound(files, { reading: "strict", faults: [] });
  if (round.kind === "refused") return { ok: false, message: round.problem.message };
  const bench: Bench = { honest: round, files, requests, known: await knownRounds() };
  const { board: honest } = await findSignals(bench.honest, bench.files, "strict");
  const found: FaultRow[] = [];
  for (const row of rows) {
    progress({ phase: row.title, done: found.length, total: rows.length });
    found.push(hidesOthers(row) ? await hidingRow(bench, row) : await ruleRow(bench, row));
  }
  return {
    ok: true,
    stream,
    study: {
      requests: requests.length,
      cut_from,
      skipped,
      stream_sha256: stream === null ? null : bench.honest.report.input.stream_sha256,
      honest: honest.signals,
      rows: found,
    },
  };
}
