import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { held } from "../../../contract/report.ts";
import { tracedAgain } from "../../engine/decide-round.ts";
import { writeReport } from "../../engine/write-report.ts";
import { FAULTS } from "../../faults/catalog.ts";
import type { Fault } from "../../faults/fault.ts";
import { injectFaults } from "../../faults/inject-faults.ts";
import { compareReport } from "../../health/compare-report.ts";
import { expectedFor } from "../run/judge-report.ts";
import {
  claimHealth,
  type DecidedRound,
  type RefusedRound,
  type RoundFiles,
  runRound,
} from "../run/run-round.ts";
import { type Trial, TrialFolder } from "./trial-folder.ts";

/** What the negative run found of one fault (§6): caught by what, or missed and why. */
export interface NegativeResult {
  id: string;
  clause: string;
  caught: boolean;
  detail: string;
}

type Verdict = string | null;

async function decided(
  files: RoundFiles,
  faults: string[],
  reading: "strict" | "lenient" = "strict",
): Promise<DecidedRound> {
  const round = await runRound(files, { reading, faults });
  if (round.kind === "refused") throw new Error(round.problem.message);
  return round;
}

/** A fault of the engine: on the first trial where it changes something, health must be red where it was green. */
async function onTrial(fault: Fault, { name, files }: Trial): Promise<Verdict> {
  const honest = await decided(files, []);
  if (honest.truth.status !== 0) return null;
  const faulty = await decided(files, [fault.id]);
  if (faulty.report.checksum === honest.report.checksum) return null;
  const { health, status } = faulty;
  const first = health.issues[0];
  if (health.status !== 2 || status !== 2 || first === undefined) return null;
  return `health on ${name}: ${health.mismatches} mismatches, first ${first.path} (${first.clause}), status ${status}`;
}

async function onTrials(fault: Fault, folder: TrialFolder): Promise<Verdict> {
  const found = await onTrial(fault, folder.scenario());
  if (found !== null) return found;
  for (const trials of [folder.otherScenarios(), folder.cases()])
    for await (const trial of trials) {
      const verdict = await onTrial(fault, trial);
      if (verdict !== null) return verdict;
    }
  return null;
}

/** A result that lost a decision: the honest claim is not ok, and a constant one is found out by health. */
async function onLostDecision(fault: Fault, folder: TrialFolder): Promise<Verdict> {
  const judge = async (faults: string[]) => {
    const round = await decided(folder.scenario().files, faults);
    if (!round.recomputed.ok) throw new Error(round.recomputed.problem.message);
    const { contract, policy } = round.documents;
    const whole = tracedAgain(contract, policy, round.outcome);
    const lost = { ...whole, order: whole.order.subarray(1) };
    const report = writeReport(lost, round.report.input);
    const health = compareReport(report, expectedFor(round.recomputed, report));
    return { ok: report.ok, issue: health.issues.find(({ check }) => check === "ok") };
  };
  const honest = await judge([]);
  const faulty = await judge([fault.id]);
  if (honest.ok || honest.issue !== undefined || !faulty.ok || faulty.issue === undefined) return null;
  return `health on a result that lost a decision: ok reported true, expected false (${faulty.issue.clause})`;
}

/** A lenient round with a skipped line is never clean (§5.4): an exit of 0 contradicts health. */
async function onSkippedLine(fault: Fault, folder: TrialFolder): Promise<Verdict> {
  const { files } = folder.scenario();
  const input = await folder.write("skipped.jsonl", `${await readFile(files.input, "utf8")}not a request\n`);
  const honest = await decided({ ...files, input }, [], "lenient");
  const faulty = await decided({ ...files, input }, [fault.id], "lenient");
  if (honest.status !== 2 || faulty.status !== 0 || faulty.truth.status !== 2) return null;
  return `the status rule on a round with a skipped line: exit 0, health found status ${faulty.truth.status}`;
}

/** Zero checks made is an error, never a pass (§5.2). */
async function onNoChecks(fault: Fault, folder: TrialFolder): Promise<Verdict> {
  const { files } = folder.scenario();
  const honest = await decided(files, []);
  const { health } = await decided(files, [fault.id]);
  if (honest.health.checks === 0 || health.status !== 0 || health.checks > 0) return null;
  return `the rule of §5.2 on the scenario: health claims status 0 on checks: ${health.checks}`;
}

/** A report changed by hand: health that believes it says well where the reference finds a mismatch. */
async function onTamperedReport(fault: Fault, folder: TrialFolder): Promise<Verdict> {
  const round = await decided(folder.scenario().files, []);
  if (!round.recomputed.ok) throw new Error(round.recomputed.problem.message);
  const decisions = held(round.report).decisions.map((decision) =>
    decision.verdict === "queued" ? { ...decision, wait_ms: (decision.wait_ms ?? 0) + 1 } : decision,
  );
  const report = { ...round.report, decisions };
  const claimed = claimHealth(report, round.recomputed, injectFaults([fault.id]).signals);
  const truth = compareReport(report, expectedFor(round.recomputed, report));
  if (claimed.status !== 0 || truth.status !== 2) return null;
  return `the recomputation on a report changed by hand: ${truth.mismatches} mismatches where health claims none`;
}

/** A contract that is unavailable stops the round with status 3 (§1). */
async function onMissingContract(fault: Fault, folder: TrialFolder): Promise<Verdict> {
  const files = { ...folder.scenario().files, contract: join(folder.path, "no-such-contract.json") };
  const honest = await runRound(files, { reading: "strict", faults: [] });
  const faulty: DecidedRound | RefusedRound = await runRound(files, {
    reading: "strict",
    faults: [fault.id],
  });
  if (honest.kind !== "refused" || honest.status !== 3 || faulty.kind !== "decided") return null;
  if (faulty.truth.status !== 3) return null;
  return `the status rule on a missing contract: exit ${faulty.status}, expected 3`;
}

/** How faults are tried that do not show by changing a decision. */
const OTHER_TRIALS: ReadonlyMap<string, (fault: Fault, folder: TrialFolder) => Promise<Verdict>> = new Map([
  ["hardcoded-ok", onLostDecision],
  ["exit-zero", onSkippedLine],
  ["empty-checks", onNoChecks],
  ["self-reference", onTamperedReport],
  ["fail-open", onMissingContract],
]);

/** The negative run (§6): each fault alone must turn health, or the status rule it breaks, red. A miss is a failure. */
export function negativeRun(faults: readonly Fault[] = FAULTS): Promise<NegativeResult[]> {
  return TrialFolder.use((folder) => tryFaults(faults, folder));
}

async function tryFaults(faults: readonly Fault[], folder: TrialFolder): Promise<NegativeResult[]> {
  const results: NegativeResult[] = [];
  for (const fault of faults) {
    const found = await (OTHER_TRIALS.get(fault.id) ?? onTrials)(fault, folder);
    results.push({
      id: fault.id,
      clause: fault.clause,
      caught: found !== null,
      detail: found ?? "MISS: it changed nothing on any trial, or nothing turned red",
    });
  }
  return results;
}
