import { getPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { claimCore, ownThread, yieldCore } from "./thread-priority.ts";

const SOURCE = `
  const { parentPort } = require("node:worker_threads");
  import(${JSON.stringify(new URL("thread-priority.ts", import.meta.url).href)}).then(({ ownThread, yieldCore }) => {
    const thread = ownThread();
    parentPort.postMessage({ thread, hasYielded: yieldCore(thread) });
    setInterval(() => {}, 1000);
  });`;

test("a thread lets the others go first, and they stay as they are; where it may, it ends that", async () => {
  const worker = new Worker(SOURCE, { eval: true });
  try {
    const { thread, hasYielded } = await new Promise<{ thread: number | null; hasYielded: boolean }>(
      (resolve, reject) => worker.once("message", resolve).once("error", reject),
    );
    expect(hasYielded).toBe(thread !== null);
    if (thread === null) return;
    expect(thread).not.toBe(ownThread());
    const own = getPriority(ownThread()!);
    const patient = Math.min(own + 9, 19);
    expect(getPriority(thread)).toBe(patient);
    if (claimCore(thread)) expect(getPriority(thread)).toBe(own);
    else expect(getPriority(thread)).toBe(patient);
    expect(getPriority(ownThread()!)).toBe(own);
  } finally {
    await worker.terminate();
  }
});

test("a thread that is unknown or gone is left alone", () => {
  expect(yieldCore(null)).toBe(false);
  expect(claimCore(null)).toBe(false);
  expect(claimCore(2 ** 22 + 1)).toBe(false);
});
