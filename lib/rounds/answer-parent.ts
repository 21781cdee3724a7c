/**
 * What a forked process of the program does: it takes the one job that its parent sends, answers, and ends. Without the
 * parent it ends at once: nobody would take over what is made here.
 * @param work what the job comes to; where it throws, the process ends with status 1 and says why on stderr
 */
export function answerParent<Job, Answer>(work: (job: Job) => Promise<Answer>): void {
  process.on("disconnect", () => process.exit(1));
  process.once("message", async (job: Job) => {
    try {
      process.send?.(await work(job));
      process.disconnect();
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  });
}
