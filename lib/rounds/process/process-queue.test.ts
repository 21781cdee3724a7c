import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Store } from "../../store/open-store.ts";
import { projectRoot } from "../settings.ts";
import { ProcessQueue, type QueuedWork, type Stopped } from "./process-queue.ts";

let folder: string;
let told: ReturnType<typeof vi.spyOn>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "queue-"));
  told = vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(async () => {
  told.mockRestore();
  await rm(folder, { recursive: true });
});

type Ending = { kind: "done" };
const staging = (id: string) => join(folder, "staging", id);
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Work that leaves a file in its folder; `stopped` tells in order how each was stopped. */
async function work(finish: QueuedWork<string, Ending>["finish"]) {
  const script = join(folder, "work.mjs");
  const answerParent = JSON.stringify(new URL("answer-parent.ts", import.meta.url).href);
  await writeFile(
    script,
    `import { writeFileSync } from "node:fs";
    import { answerParent } from ${answerParent};
    answerParent(async (folder) => { writeFileSync(folder + "/report.json", "whole"); return { kind: "done" }; });`,
  );
  const stopped: [id: string, Stopped, isFolderThere: boolean][] = [];
  const queued: QueuedWork<string, Ending> = {
    noun: "work",
    script: relative(projectRoot(), script),
    folderOf: (id) => id,
    begin: async (_, path) => path,
    finish,
    stop: async (id, how) => {
      stopped.push([id, how, await isThere(staging(id))]);
    },
  };
  return { queued, stopped };
}

function queueOf(queued: QueuedWork<string, Ending>) {
  const ended: string[] = [];
  const store = { stagingDir: staging } as Store;
  const queue = new ProcessQueue<string, Ending, never>(store, queued, (id) => ended.push(id));
  const all = (count: number) => vi.waitFor(() => expect(ended).toHaveLength(count), 20_000);
  return { queue, ended, all };
}

test("where an ending cannot be stored nothing of it is left, and room is made before it is said that it failed", async () => {
  const { queued, stopped } = await work(() => Promise.reject(new Error("no space left on device")));
  const { queue, all } = queueOf(queued);
  queue.enqueue("first");
  await all(1);
  expect(stopped).toEqual([["first", { kind: "failed", message: "no space left on device" }, false]]);
  expect(await isThere(staging("first"))).toBe(false);
});

test("where not even that can be stored it is tried until it can, and the next one has its turn", async () => {
  const finished: string[] = [];
  const { queued, stopped } = await work(async (id) => {
    if (id === "first") throw new Error("no space left on device");
    finished.push(id);
  });
  const { stop } = queued;
  const failing = vi.fn(stop).mockRejectedValueOnce(new Error("database or disk is full"));
  const { queue, ended, all } = queueOf({ ...queued, stop: failing });
  queue.enqueue("first");
  queue.enqueue("second");
  await all(2);
  expect(stopped.map(([id, { kind }]) => [id, kind])).toEqual([["first", "failed"]]);
  expect([finished, ended]).toEqual([["second"], ["first", "second"]]);
});

test("what is cancelled while its ending is stored was not cancelled, and says so when it is stored", async () => {
  let store = () => {};
  let isStoring = false;
  const { queued, stopped } = await work(async () => {
    isStoring = true;
    await new Promise<void>((resolve) => {
      store = resolve;
    });
  });
  const { queue, all } = queueOf(queued);
  queue.enqueue("first");
  await vi.waitFor(() => expect(isStoring).toBe(true), 20_000);
  const cancelled = queue.cancel("first");
  store();
  expect(await cancelled).toBe(false);
  await all(1);
  expect(stopped).toEqual([]);
  expect(await queue.cancel("first")).toBe(false);
});

test("what is cancelled while its process runs is stopped, with nothing left when that is answered", async () => {
  const { queued, stopped } = await work(async () => {});
  const { queue } = queueOf(queued);
  queue.enqueue("first");
  expect(await queue.cancel("first")).toBe(true);
  expect(stopped).toEqual([["first", { kind: "cancelled" }, false]]);
  expect(await isThere(staging("first"))).toBe(false);
});
