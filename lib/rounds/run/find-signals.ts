import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Reading } from "../../../contract/request.ts";
import type { Criterion, RoundSummary } from "../../../contract/round-view.ts";
import type { SignalBoard } from "../../../contract/signals.ts";
import { acceptReport, tallyCriteria } from "../../acceptance/accept-report.ts";
import { signalBoard } from "../../health/signal-board.ts";
import { projectRoot } from "../settings.ts";
import { sha256Of } from "../sha256.ts";
import { scenarioFiles } from "../trials/scenario.ts";
import type { DecidedRound, RoundFiles } from "./run-round.ts";

export type ProbeFinding = RoundSummary["probe"];

const PROBE = "lib/probe/probe-process.ts";

/** What the probe's process printed, or why it could not be found: then the signal is unknown, never green. */
function readProbe(stdout: string, stderr: string, code: number | null): ProbeFinding {
  try {
    const { result, compared, mismatchCount, message } = JSON.parse(stdout) as {
      result: ProbeFinding["result"];
      compared: number;
      mismatchCount: number;
      message?: string;
    };
    return { result, compared, mismatches: mismatchCount, ...(message === undefined ? {} : { message }) };
  } catch {
    const message = `the probe ended with status ${code}: ${stderr.trim().split("\n").at(-1) ?? ""}`;
    return { result: "unjudged", compared: 0, mismatches: 0, message };
  }
}

/** Runs the probe in a process of its own (§5.5). */
export function runProbe(files: RoundFiles, reading: Reading): Promise<ProbeFinding> {
  const flags = ["contract", "policy", "input", "report"] as const;
  const args = [
    join(/* turbopackIgnore: true */ projectRoot(), PROBE),
    ...flags.flatMap((flag) => [`--${flag}`, files[flag]]),
    ...(reading === "lenient" ? ["--lenient"] : []),
    "--json",
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", (error) => resolve(readProbe("", error.message, null)));
    child.on("close", (code) => resolve(readProbe(stdout, stderr, code)));
  });
}

/** What the signals are found by: a decided round without the recomputation's rows, of which only the truth is asked. */
export type JudgedRound = Pick<
  DecidedRound,
  "documents" | "columns" | "report" | "contentChecksum" | "health" | "truth" | "status"
>;

/** Whether a round was decided from the scenario's own files, of which §7 knows the figures. */
async function isScenario({ report }: JudgedRound): Promise<boolean> {
  const { contract, policy, input } = scenarioFiles();
  const digests = await Promise.all(
    [contract, policy, input].map(async (path) => sha256Of(await readFile(path))),
  );
  const { contract_sha256, policy_sha256, stream_sha256 } = report.input;
  return [contract_sha256, policy_sha256, stream_sha256].every((sha256, at) => sha256 === digests[at]);
}

/** What is judged one beside the other: the criteria, and the probe. */
const STEPS = 2;

/**
 * The five signals of a decided round (§5.5), each found by its own path, beside what is true.
 * @param onSteps told how many steps are over, of how many
 */
export async function findSignals(
  round: JudgedRound,
  files: RoundFiles,
  reading: Reading,
  onSteps: (done: number, total: number) => void = () => {},
): Promise<{ board: SignalBoard; probe: ProbeFinding; acceptance: Criterion[] }> {
  const scenario = await isScenario(round);
  onSteps(0, STEPS);
  // The probe is a process of its own: it works while the criteria are judged here.
  const probing = runProbe(files, reading);
  const { contract, policy } = round.documents;
  const { columns, report, contentChecksum } = round;
  const acceptance = acceptReport({ contract, policy, columns, report, contentChecksum, scenario });
  onSteps(1, STEPS);
  const probe = await probing;
  const { truth } = round;
  const board = signalBoard({
    report: round.report.ok,
    exit: round.status,
    health: { ...round.health, skipped: round.report.input.skipped.count },
    probe,
    acceptance: tallyCriteria(acceptance),
    true_mismatches: truth.checks === 0 ? null : truth.mismatches + truth.indeterminate,
  });
  return { board, probe, acceptance };
}
