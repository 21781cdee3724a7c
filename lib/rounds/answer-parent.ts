import type { ProcessFailure } from "./forked-process.ts";

/**
 * What a forked process of the program does: it takes the one job that its parent sends, answers, and ends. Without the
 * parent it ends at once: nobody would take over what is made here. Whenever it has not answered it is killed, and not
 * ended: an exit waits for a query of DuckDB's that runs, which itself may wait for rows that only this thread can make.
 * @param work what the job comes to; where it throws, the process says why on stderr and to its parent, and is killed
 */
export function answerParent<Job, Answer>(work: (job: Job) => Promise<Answer>): void {
  const die = () => process.kill(process.pid, "SIGKILL");
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
  process.once("message", async (job: Job) => {
    try {
      process.send?.(await work(job));
      process.off("disconnect", die);
      process.once("disconnect", () => process.exit(0));
      process.disconnect();
    } catch (error) {
      fail(error);
    }
  });
}
