import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Held, held, type Report, type RoundFigures } from "../../../contract/report.ts";
import type { Reading } from "../../../contract/request.ts";
import type { Criterion } from "../../../contract/round-view.ts";
import type { SignalBoard } from "../../../contract/signals.ts";
import { compareReport } from "../../health/compare-report.ts";
import { findSignals } from "../run/find-signals.ts";
import { expectedFor } from "../run/judge-report.ts";
import { type DecidedRound, type RefusedRound, type RoundFiles, runRound } from "../run/run-round.ts";
import { FALSE_GREEN_FAULTS, PROBLEM_FAULTS, scenarioDir } from "./scenario.ts";
import type { TrialFolder } from "./trial-folder.ts";

/** A round of the scenario with its signals. */
export interface SignalledRound {
  round: DecidedRound;
  report: Held<Report>;
  board: SignalBoard;
  acceptance: Criterion[];
}

/** What the acceptance criteria of the scenario look at (§7). */
export interface VerifyContext {
  clean: SignalledRound;
  problem: SignalledRound;
  falseGreen: SignalledRound;
  floats: SignalledRound;
  /** `expected.json` of the scenario. */
  expected: {
    clean: RoundFigures & { checksum: string };
    problem_state: RoundFigures & { checksum: string };
  };
  /** Runs the scenario with some of its files replaced. */
  run(changed: Partial<RoundFiles>, reading?: Reading): Promise<DecidedRound | RefusedRound>;
  /** The scenario's document or stream as text, changed by a function and written to a file of its own. */
  variant(part: "contract" | "policy" | "input", change: (text: string) => string): Promise<string>;
  /** Status of health over the clean report after a change. */
  judge(change: (report: Held<Report>) => unknown): ReturnType<typeof compareReport>;
}

async function signalled(files: RoundFiles, faults: readonly string[]): Promise<SignalledRound> {
  const round = await runRound(files, { reading: "strict", faults });
  if (round.kind === "refused") throw new Error(round.problem.message);
  const { board, acceptance } = await findSignals(round, files, "strict");
  return { round, report: held(round.report), board, acceptance };
}

/** Runs the scenario's rounds once; the criteria ask them. */
export async function verifyContext(folder: TrialFolder): Promise<VerifyContext> {
  const { files } = folder.scenario();
  const clean = await signalled(files, []);
  const { recomputed } = clean.round;
  if (!recomputed.ok) throw new Error(recomputed.problem.message);
  let variants = 0;
  return {
    clean,
    problem: await signalled(folder.scenario("problem.json").files, PROBLEM_FAULTS),
    falseGreen: await signalled(folder.scenario("false-green.json").files, [
      ...PROBLEM_FAULTS,
      ...FALSE_GREEN_FAULTS,
    ]),
    floats: await signalled(folder.scenario("floats.json").files, ["float-arithmetic"]),
    expected: JSON.parse(await readFile(join(scenarioDir(), "expected.json"), "utf8")),
    run: (changed, reading = "strict") =>
      runRound({ ...folder.scenario("variant-report.json").files, ...changed }, { reading, faults: [] }),
    variant: async (part, change) =>
      folder.write(`variant-${variants++}`, change(await readFile(files[part], "utf8"))),
    judge: (change) => {
      const report = change(structuredClone({ ...clean.report, per_tenant: { ...clean.report.per_tenant } }));
      return compareReport(report, expectedFor(recomputed, report));
    },
  };
}
