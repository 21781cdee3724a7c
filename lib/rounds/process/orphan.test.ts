import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { viewFilesIn } from "../../store/view-format.ts";
import type { RoundJob, RoundMessage } from "../run/round-message.ts";
import { makeRound } from "../trials/made-round.ts";
import type { ProcessFailure } from "./forked-process.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "orphan-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** A round's process in the middle of writing its view: a query of DuckDB's waits for rows that its main thread makes. */
async function writing(execArgv: string[] = []): Promise<ChildProcess> {
  const made = { requests: 200_000, tenants: 100, span_ms: 3_600_000, order: "arrival" } as const;
  const job: RoundJob = {
    files: await makeRound(folder, made),
    log: null,
    view: { files: viewFilesIn(folder), temporary: join(folder, "queries") },
    viewOnly: true,
    reading: "strict",
    audit: null,
    faults: [],
    names: { contract: "contract.json", policy: "policy.json", input: "stream.jsonl" },
  };
  const child = fork("lib/rounds/run/round-process.ts", { stdio: "inherit", execArgv });
  const isWriting = new Promise<void>((resolve) => {
    child.on("message", (message: RoundMessage) => {
      if (message.kind === "progress" && message.progress.phase === "store" && message.progress.done > 0)
        resolve();
    });
  });
  child.send(job);
  await isWriting;
  return child;
}

test("a round's process whose server is gone ends at once, also in the middle of writing its view", async () => {
  const child = await writing();
  const ended = once(child, "exit");
  child.disconnect();
  expect(await ended).toEqual([null, "SIGKILL"]);
});

test("one that meets what nobody foresaw says so and ends, also in the middle of writing its view", async () => {
  const unforeseen = "process.on('SIGUSR2', () => { throw new Error('unforeseen'); });";
  const child = await writing(["--import", `data:text/javascript,${unforeseen}`]);
  const ended = once(child, "exit");
  const failure = new Promise<ProcessFailure>((resolve) => {
    child.on("message", (message) => {
      if ("failed" in (message as object)) resolve(message as ProcessFailure);
    });
  });
  child.kill("SIGUSR2");
  expect(await failure).toEqual({ failed: "unforeseen" });
  expect(await ended).toEqual([null, "SIGKILL"]);
});
