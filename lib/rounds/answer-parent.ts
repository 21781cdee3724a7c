/**
 * What a forked process of the program does: it takes the one job that its parent sends, answers, and ends. Without the
 * parent it ends at once: nobody would take over what is made here. Then it is killed, and not ended: an exit waits for a
 * query of DuckDB's that runs, which itself may wait for rows that only this thread can make.
 * @param work what the job comes to; where it throws, the process ends with status 1 and says why on stderr
 */
export function answerParent<Job, Answer>(work: (job: Job) => Promise<Answer>): void {
  const die = () => process.kill(process.pid, "SIGKILL");
  process.on("disconnect", die);
  process.once("message", async (job: Job) => {
    try {
      process.send?.(await work(job));
      process.off("disconnect", die);
      process.once("disconnect", () => process.exit(0));
      process.disconnect();
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  });
}
