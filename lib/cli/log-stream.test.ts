import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { TrialFolder } from "../rounds/trials/trial-folder.ts";

test("a verb that is ended while it has a log's stream on the disk leaves nothing of it", () =>
  TrialFolder.use(async ({ path }) => {
    const log = join(path, "access.log");
    const temporary = join(path, "temporary");
    await mkdir(temporary);
    const line = '192.0.2.1 - - [25/Oct/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1\n';
    await writeFile(log, line.repeat(300_000));
    const args = ["bin/throttle.js", "health", "--input", log, "--report", log];
    const child = spawn(process.execPath, args, {
      stdio: "ignore",
      env: { ...process.env, TMPDIR: temporary },
    });
    const ended = once(child, "exit");
    const left = () => readdir(temporary);
    await vi.waitFor(async () => expect(await left()).toEqual([expect.stringMatching(/^throttle-log-/)]), {
      timeout: 20_000,
      interval: 5,
    });
    child.kill("SIGTERM");
    expect(await ended).toEqual([null, "SIGTERM"]);
    expect(await left()).toEqual([]);
  }));
