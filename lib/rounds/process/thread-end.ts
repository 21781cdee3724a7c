import type { Worker } from "node:worker_threads";

/**
 * Rejects when a thread has ended or failed, however it did: who waits for its answer must not wait for ever. That is no
 * error of its own where nobody waits.
 * @param noun what the thread is called in the message
 */
export function threadEnd(worker: Worker, noun: string): Promise<never> {
  const end = new Promise<never>((_, reject) => {
    worker.on("messageerror", reject);
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new Error(`${noun} ended with status ${code}`)));
  });
  end.catch(() => {});
  return end;
}
