import { execFileSync } from "node:child_process";
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

/** A process whose main thread goes first; tells its own priority before and after, and what those of all others are then. */
const GOES_FIRST = `
  const { getPriority } = await import("node:os");
  const { Worker } = await import("node:worker_threads");
  const { goFirst, ownThread, ownThreads } = await import(${JSON.stringify(new URL("thread-priority.ts", import.meta.url).href)});
  const worker = new Worker("setInterval(() => {}, 1000)", { eval: true });
  await new Promise((resolve) => worker.once("online", resolve));
  const own = ownThread();
  const before = getPriority();
  goFirst();
  const others = (ownThreads() ?? []).filter((thread) => thread !== own).map((thread) => getPriority(thread));
  console.log(JSON.stringify({ isKnown: own !== null, before, after: getPriority(), others }));
  process.exit(0);
`;

test("a thread goes first: every other one of its process is patient, and it is as it was", () => {
  const told = execFileSync(process.execPath, ["--input-type=module", "--eval", GOES_FIRST], {
    encoding: "utf8",
  });
  const { isKnown, before, after, others } = JSON.parse(told);
  expect(after).toBe(before);
  if (!isKnown) return;
  expect(others.length).toBeGreaterThan(1);
  expect(new Set(others)).toEqual(new Set([Math.min(before + 9, 19)]));
});
