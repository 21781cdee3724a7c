import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StudyProgress } from "../../../contract/study.ts";
import { ComparisonWriter } from "../../store/comparison-rows.ts";
import { writeStartStates } from "../../store/start-state-rows.ts";
import { importForRound } from "../logs/import-stream.ts";
import { answerParent } from "../process/answer-parent.ts";
import { compareRounds } from "./compare-rounds.ts";
import { sideOfReport } from "./compared-side.ts";
import { runFaultLab } from "./fault-lab.ts";
import { findStartStates } from "./start-states.ts";
import type { ComparedFiles, StudyJob, StudyMessage } from "./study-message.ts";
import { findWitness } from "./witness-studies.ts";

const say = (message: StudyMessage): void => {
  process.send?.(message);
};
const onProgress = (progress: StudyProgress): void => say({ kind: "progress", progress });

/** Progress of an import is told no oftener than people can read it. */
const TELL_EVERY_MS = 100;

async function studyFaults(job: Extract<StudyJob, { kind: "faults" }>): Promise<StudyMessage> {
  const { folder, rows, most_requests, log, inputs, stream_name } = job;
  const refused = (message: string): StudyMessage => ({
    kind: "refused",
    // By the name that the user knows.
    message: message.replaceAll(log?.path ?? inputs.input, stream_name),
  });
  const input = log === null ? inputs.input : join(folder, "imported.jsonl");
  if (log !== null) {
    let told_at_ms = 0;
    const imported = await importForRound(log, input, inputs.reading, ({ done, total }) => {
      if (Date.now() - told_at_ms < TELL_EVERY_MS) return;
      told_at_ms = Date.now();
      onProgress({ phase: "Import the log", done, total });
    });
    if (!imported.ok) return refused(imported.problem.message);
  }
  const options = { rows, most_requests, folder, isMade: log !== null, onProgress };
  const found = await runFaultLab({ ...inputs, input }, options);
  if (!found.ok) return refused(found.message);
  return { kind: "done", result: found.study, ...(found.stream === null ? {} : { files: [found.stream] }) };
}

async function studyComparison(job: Extract<StudyJob, { kind: "comparison" }>): Promise<StudyMessage> {
  const { a, b, folder } = job;
  const read = async (files: ComparedFiles, done: number) => {
    onProgress({ phase: "Read the reports", done, total: 2 });
    const side = await sideOfReport(files.report, {
      contract: await readFile(files.contract, "utf8"),
      policy: await readFile(files.policy, "utf8"),
    });
    return side.ok ? { ok: true as const, side: { ...side.side, stream_sha256: files.stream_sha256 } } : side;
  };
  const [sideA, sideB] = [await read(a, 0), await read(b, 1)];
  if (!sideA.ok) return { kind: "refused", message: sideA.message };
  if (!sideB.ok) return { kind: "refused", message: sideB.message };
  onProgress({ phase: "Compare them", done: 0, total: null });
  const rows = join(folder, "comparison.sqlite");
  const writer = new ComparisonWriter(rows);
  const { comparison, tenants } = compareRounds(sideA.side, sideB.side, (change) => writer.add(change));
  writer.finish(tenants);
  return { kind: "done", result: comparison, rows };
}

async function studyStartStates(job: Extract<StudyJob, { kind: "start-states" }>): Promise<StudyMessage> {
  const found = await findStartStates(job.inputs, onProgress);
  if (!found.ok) return { kind: "refused", message: found.message };
  const rows = join(job.folder, "start-states.sqlite");
  writeStartStates(rows, found.rows, found.tenants);
  return { kind: "done", result: found.result, rows };
}

async function work(job: StudyJob): Promise<StudyMessage> {
  if (job.kind === "faults") return studyFaults(job);
  if (job.kind === "comparison") return studyComparison(job);
  if (job.kind === "start-states") return studyStartStates(job);
  onProgress({ phase: "Looking for the smallest stream", done: 0, total: null });
  return { kind: "done", result: await findWitness(job.inputs, job.tenant) };
}

answerParent(work);
