import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { scenarioFiles } from "../rounds/trials/scenario.ts";
import { TrialFolder } from "../rounds/trials/trial-folder.ts";

const entry = (second: string) =>
  `192.0.2.1 - - [25/Oct/2026:10:00:${second} +0000] "GET / HTTP/1.1" 200 1\n`;
const LOG = entry("03") + entry("01") + entry("02");

/** One command in a process of its own, with its standard input. */
function throttle(args: string[], path: string, input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["bin/throttle.js", ...args], {
    input,
    encoding: "utf8",
    env: { ...process.env, TMPDIR: path, THROTTLE_DATA: join(path, "data") },
  });
  const last = stdout.trim().split("\n").at(-1) ?? "";
  return { status, stderr, said: last.startsWith("{") ? JSON.parse(last) : last };
}

test.each(["-", "/dev/stdin"])("a log that comes through a pipe is not taken for an empty one: %s", (name) =>
  TrialFolder.use(async ({ path }) => {
    const stream = join(path, "stream.jsonl");
    const { status, said, stderr } = throttle(["import", name, "--out", stream], path, LOG);
    expect([status, said.lines, said.requests]).toEqual([0, 3, 3]);
    expect(stderr).toContain(`${name} can be read only once`);
    expect((await readFile(stream, "utf8")).match(/line-[123]/g)).toHaveLength(3);
    expect((await readdir(path)).filter((left) => left.startsWith("throttle-"))).toEqual([]);
  }),
);

test("a round and its checks over pipes decide what is in them", () =>
  TrialFolder.use(async ({ path }) => {
    const { input, policy } = scenarioFiles();
    const report = join(path, "report.json");
    const requests = await readFile(input, "utf8");
    const ran = throttle(["run", "--input", "-", "--report", report], path, requests);
    expect([ran.status, ran.said.checks, ran.said.counts.accepted]).toEqual([0, 190, 9]);
    const health = throttle(
      ["health", "--policy", "-", "--report", report],
      path,
      await readFile(policy, "utf8"),
    );
    expect([health.status, health.said.checks]).toEqual([0, 190]);
    const probe = throttle(["probe", "--report", "-"], path, await readFile(report, "utf8"));
    expect([probe.status, probe.said]).toEqual([0, "RESULT: OK"]);
  }));

test("a named pipe is read once, and its copy is gone also where the verb is ended", () =>
  TrialFolder.use(async ({ path }) => {
    const pipe = join(path, "pipe.log");
    const temporary = join(path, "temporary");
    await mkdir(temporary);
    execFileSync("mkfifo", [pipe]);
    const writer = spawn("sh", ["-c", 'exec 3>"$0"; cat >&3; sleep 60', pipe], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    writer.stdin.end(LOG);
    const child = spawn(process.execPath, ["bin/throttle.js", "health", "--input", pipe], {
      stdio: "ignore",
      env: { ...process.env, TMPDIR: temporary },
    });
    try {
      const ended = once(child, "exit");
      await vi.waitFor(
        async () => expect(await readdir(temporary)).toEqual([expect.stringMatching(/^throttle-pipe-/)]),
        { timeout: 20_000, interval: 5 },
      );
      child.kill("SIGTERM");
      expect(await ended).toEqual([null, "SIGTERM"]);
      expect(await readdir(temporary)).toEqual([]);
    } finally {
      writer.kill();
      child.kill("SIGKILL");
    }
  }));

test("what is read is never written over, whatever it is called", () =>
  TrialFolder.use(async ({ path }) => {
    const log = join(path, "access.log");
    const link = join(path, "link.log");
    await writeFile(log, LOG);
    await symlink(log, link);
    const refused = throttle(["import", log, "--out", link], path);
    expect(refused.status).toBe(3);
    expect(refused.stderr).toContain("is the log itself, and would be overwritten");
    const policy = join(path, "policy.json");
    const text = await readFile(scenarioFiles().policy, "utf8");
    await writeFile(policy, text);
    const run = throttle(["run", "--policy", policy, "--report", policy], path);
    expect(run.status).toBe(3);
    expect(run.stderr).toContain("is the policy itself, and would be overwritten");
    expect([await readFile(log, "utf8"), await readFile(policy, "utf8")]).toEqual([LOG, text]);
  }));
