import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { viewFilesIn } from "../store/view-format.ts";
import { makeRound } from "./made-round.ts";
import type { RoundJob, RoundMessage } from "./round-message.ts";

test("a round's process whose server is gone ends at once, also in the middle of writing its view", async () => {
  const folder = await mkdtemp(join(tmpdir(), "orphan-"));
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
  const child = fork("lib/rounds/round-process.ts", { stdio: "inherit" });
  const writing = new Promise<void>((resolve) => {
    child.on("message", (message: RoundMessage) => {
      if (message.kind === "progress" && message.progress.phase === "store" && message.progress.done > 0)
        resolve();
    });
  });
  child.send(job);
  await writing;
  const ended = once(child, "exit");
  child.disconnect();
  expect(await ended).toEqual([null, "SIGKILL"]);
  await rm(folder, { recursive: true });
});
