import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { projectRoot } from "../settings.ts";
import { letServerFirst } from "./background-process.ts";
import { killGroup, type ProcessFailure } from "./forked-process.ts";

const WATCH = "lib/rounds/process/parent-watch.ts";
const WATCH_HEAP_MIB = 16;

/**
 * What a forked process of the program does: it takes the one job that its parent sends, answers, and ends. Without the
 * parent it ends at once, busy or not: nobody would take over what is made here. Whenever it has not answered it is
 * killed, and not ended: an exit waits for a query of DuckDB's that runs, which itself may wait for rows that only this
 * thread can make.
 * @param work what the job comes to; where it throws, the process says why on stderr and to its parent, and is killed
 */
export function answerParent<Job, Answer>(work: (job: Job) => Promise<Answer>): void {
  letServerFirst();
  // With all that it started, where it is the first of a group.
  const die = () => killGroup(process.pid) || process.kill(process.pid, "SIGKILL");
  const fail = (error: unknown) => {
    console.error(error);
    const failure: ProcessFailure = { failed: error instanceof Error ? error.message : String(error) };
    // A parent that is gone is told nothing; the callback comes in either case.
    if (process.connected) process.send!(failure, die);
    else die();
  };
  // Also what is told to a parent that has just been killed, before this process hears of it.
  process.on("uncaughtException", fail);
  process.on("disconnect", die);
  new Worker(join(projectRoot(), WATCH), {
    workerData: process.ppid,
    resourceLimits: { maxOldGenerationSizeMb: WATCH_HEAP_MIB },
  }).unref();
  process.once("message", async (job: Job) => {
    try {
      const answer = await work(job);
      // A channel that is closed before all of it is sent loses the rest.
      process.send!(answer, (error: Error | null) => {
        if (error !== null) return die();
        process.off("disconnect", die);
        process.once("disconnect", () => process.exit(0));
        process.disconnect();
      });
    } catch (error) {
      fail(error);
    }
  });
}
