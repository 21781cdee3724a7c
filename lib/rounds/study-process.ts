import type { StudyProgress } from "../../contract/study.ts";
import { runFaultLab } from "./fault-lab.ts";
import type { StudyJob, StudyMessage } from "./study-message.ts";
import { findWitness } from "./witness-studies.ts";

const say = (message: StudyMessage): void => {
  process.send?.(message);
};
const onProgress = (progress: StudyProgress): void => say({ kind: "progress", progress });

async function studyFaults(job: Extract<StudyJob, { kind: "faults" }>): Promise<StudyMessage> {
  const { folder, rows, most_requests } = job;
  const found = await runFaultLab(job.inputs, { rows, most_requests, folder, onProgress });
  if (!found.ok) return { kind: "refused", message: found.message };
  return { kind: "done", result: found.study, ...(found.stream === null ? {} : { files: [found.stream] }) };
}

async function study(job: StudyJob): Promise<StudyMessage> {
  if (job.kind === "faults") return studyFaults(job);
  onProgress({ phase: "Looking for the smallest stream", done: 0, total: null });
  return { kind: "done", result: await findWitness(job.inputs, job.tenant) };
}

// The parent is gone: nobody would take over what is made here.
process.on("disconnect", () => process.exit(1));
process.once("message", async (job: StudyJob) => {
  try {
    say(await study(job));
    process.disconnect();
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
