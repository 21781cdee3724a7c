import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { projectRoot } from "../settings.ts";
import { forkProcess } from "./forked-process.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "forked-"));
});
afterEach(() => rm(folder, { recursive: true }));

const ANSWER_PARENT = JSON.stringify(new URL("answer-parent.ts", import.meta.url).href);

/** A script of the program's own, told by its way from the project's root. */
async function script(work: string): Promise<string> {
  const path = join(folder, "work.mjs");
  await writeFile(path, `import { answerParent } from ${ANSWER_PARENT};\nanswerParent(${work});\n`);
  return relative(projectRoot(), path);
}

/** Work that starts a process of its own, writes down its id and goes on for ever; or does not go on. */
const starting = (then: string) => `async (path) => {
  const { spawn } = await import("node:child_process");
  const { writeFileSync } = await import("node:fs");
  const { pid } = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  writeFileSync(path, String(pid));
  ${then}
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}`;

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function startedBy(path: string): Promise<number> {
  return vi.waitFor(async () => {
    const pid = Number(await readFile(path, "utf8"));
    expect(isThere(pid)).toBe(true);
    return pid;
  }, 10_000);
}

/** Far longer than it takes on a busy machine, and shorter than what is busy would take to hear of anything. */
const gone = (pid: number) => vi.waitFor(() => expect(isThere(pid)).toBe(false), 25_000);

test("an answer of any size arrives whole, also where its parent has no time to read it", async () => {
  const answers: { text: string }[] = [];
  const path = await script("async (length) => ({ text: 'x'.repeat(length) })");
  const { ended } = forkProcess<number, { text: string }>(path, 3_000_000, (answer) => answers.push(answer));
  await new Promise((resolve) => setImmediate(resolve));
  for (const until_ms = Date.now() + 1000; Date.now() < until_ms; );
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(answers.map(({ text }) => text.length)).toEqual([3_000_000]);
});

test("what a process started ends with it: where it is killed, where it fails, and where it dies alone", async () => {
  const path = join(folder, "pid");
  const killed = forkProcess(await script(starting("")), path, () => {});
  const first = await startedBy(path);
  killed.kill();
  expect(await killed.ended).toEqual({ code: null, signal: "SIGKILL" });
  await gone(first);

  const failed = forkProcess(await script(starting("throw new Error('unforeseen');")), path, () => {});
  expect(await failed.ended).toEqual({ code: null, signal: "SIGKILL", error: "unforeseen" });
  await gone(Number(await readFile(path, "utf8")));

  await rm(path);
  const alone = forkProcess(await script(starting("process.exit(7);")), path, () => {});
  expect(await alone.ended).toEqual({ code: 7, signal: null });
  await gone(Number(await readFile(path, "utf8")));
});

test("a process whose parent is gone ends with what it started, though it has no time to hear of it", async () => {
  const path = join(folder, "pid");
  const busy = await script(starting("for (const until_ms = Date.now() + 50_000; Date.now() < until_ms; );"));
  const parent = join(folder, "parent.mjs");
  const forked = JSON.stringify(new URL("forked-process.ts", import.meta.url).href);
  await writeFile(
    parent,
    `import { forkProcess } from ${forked};
    forkProcess(${JSON.stringify(busy)}, ${JSON.stringify(path)}, () => {});
    setInterval(() => {}, 1000);`,
  );
  const child = spawn(process.execPath, [parent], { stdio: "ignore", cwd: projectRoot() });
  const started = await startedBy(path);
  child.kill("SIGKILL");
  await gone(started);
});

test.runIf(process.platform === "linux")(
  "memory that a process lets go of is given back, also what lay between",
  async () => {
    const work = `async () => {
    const [{ setFlagsFromString }, { runInNewContext }, { readFileSync }] = await Promise.all(
      ["node:v8", "node:vm", "node:fs"].map((name) => import(name)));
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc");
    const resident_mib = () => Number(/VmRSS:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024;
    const taken = (mib) => new Uint8Array(mib * 1024 * 1024).fill(1);
    const rest = async () => { gc(); await new Promise((resolve) => setTimeout(resolve, 100)); gc(); };
    // By this glibc learns to keep what is as large.
    for (const mib of [8, 16, 24]) { taken(mib); await rest(); }
    const before = resident_mib();
    let all = Array.from({ length: 80 }, () => taken(4));
    all = all.filter((_, at) => at % 2 === 0);
    await rest();
    return { mib: resident_mib() - before, kept: all.length };
  }`;
    const answers: { mib: number; kept: number }[] = [];
    const { ended } = forkProcess<null, { mib: number; kept: number }>(await script(work), null, (answer) =>
      answers.push(answer),
    );
    expect(await ended).toEqual({ code: 0, signal: null });
    // Forty pieces of four are kept; with those between it would be twice that.
    expect(answers).toEqual([{ mib: expect.any(Number), kept: 40 }]);
    expect(answers[0]!.mib).toBeLessThan(220);
  },
);
