import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AuditResult } from "../../contract/decision-log.ts";
import type { GateStep } from "../../contract/gate-case.ts";
import { closedText } from "../decision-log/log-text.ts";
import { playLogged } from "../rounds/gates/gate-trial.ts";
import { answerStream } from "./answer-stream.ts";
import type { LogJob } from "./log-job.ts";
import { sentFiles, withSentLogs } from "./sent-logs.ts";
import { workOnLogs } from "./work-on-logs.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "log-work-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const CONFIG = {
  services: [{ name: "api", auth: "off", price: 0, rules: [{ id: "r", requests: 2, per: "1s" }] }],
};

async function jobOver(requests: number): Promise<LogJob> {
  const steps = Array.from(
    { length: requests },
    (_, at): GateStep => ({ op: "request", at, ip: `192.0.${at % 50}.1`, path: "/x" }),
  );
  const text = closedText(playLogged(CONFIG, steps, null));
  const path = join(folder, "log.jsonl");
  await writeFile(path, text);
  return { kind: "audit", isOpen: false, first: 5, files: [{ name: "log", path, bytes: text.length }] };
}

test("an audit runs in a process of its own: the console goes on, and is told how far it is", async () => {
  const job = await jobOver(30_000);
  let turns = 0;
  const told: number[] = [];
  const timer = setInterval(() => {
    turns += 1;
  }, 5);
  const answer = await workOnLogs<AuditResult>(job, {
    signal: new AbortController().signal,
    onProgress: ({ done, total }) => told.push(done / total),
  });
  clearInterval(timer);
  expect(answer).toMatchObject({
    ...{ kind: "answer", value: { files: 1, result: { status: 0, decisions: 30_000 } } },
  });
  expect(told.length).toBeGreaterThan(0);
  expect(turns).toBeGreaterThan(20);
});

test("an audit that nobody waits for is ended; a third at once is refused, not queued", async () => {
  const job = await jobOver(30_000);
  const gone = new AbortController();
  const waiting = (onProgress = () => {}) => ({ signal: gone.signal, onProgress });
  const first = workOnLogs(
    job,
    waiting(() => gone.abort()),
  );
  const second = workOnLogs(job, waiting());
  expect(await workOnLogs(job, waiting())).toMatchObject({ kind: "refused", status: 503 });
  expect(await first).toMatchObject({ kind: "refused", problems: [{ message: /SIGKILL/ }] });
  await second;
  // There is room again.
  const { signal } = new AbortController();
  expect(await workOnLogs(job, { signal, onProgress: () => {} })).toMatchObject({ kind: "answer" });
});

async function* body(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

test("files that are sent one behind the other are told apart by their sizes, and cleared away", async () => {
  const files = sentFiles(new URLSearchParams("name=a&bytes=3&name=b&bytes=0&name=a&bytes=5"))!;
  expect(files.map(({ bytes }) => bytes)).toEqual([3, 0, 5]);
  let path = "";
  vi.stubEnv("THROTTLE_DATA", folder);
  const read = await withSentLogs(body("on", "eth", "ree"), files, (parts) => {
    path = parts[0]!.path;
    return Promise.all(parts.map((part) => readFile(part.path, "utf8")));
  });
  expect(read).toEqual(["one", "", "three"]);
  // Where the next start of a server that was killed meanwhile finds it.
  expect(path.startsWith(join(folder, "staging", "gate-logs-"))).toBe(true);
  expect(await readdir(join(folder, "staging"))).toEqual([]);
});

test("a body that is not as long as its files, or a query that does not tell them, is refused", async () => {
  vi.stubEnv("THROTTLE_DATA", folder);
  const files = [{ name: "a", bytes: 3 }];
  await expect(withSentLogs(body("ab"), files, async () => 1)).rejects.toThrow(/shorter/);
  await expect(withSentLogs(body("abcd"), files, async () => 1)).rejects.toThrow(/longer/);
  for (const query of [
    "",
    "name=a",
    "bytes=1",
    "name=a&bytes=-1",
    "name=a&bytes=1&bytes=2",
    "name=a&bytes=1e3",
  ])
    expect(sentFiles(new URLSearchParams(query))).toBeNull();
});

test("an answer tells how far it is line by line, and whoever hangs up ends the work", async () => {
  const { signal } = new AbortController();
  const whole = answerStream(signal, async ({ onProgress }) => {
    onProgress({ done: 1, total: 2 });
    return "found";
  });
  expect(await whole.text()).toBe(
    '{"kind":"progress","progress":{"done":1,"total":2}}\n{"kind":"answer","answer":"found"}\n',
  );
  let wasAborted = false;
  const left = answerStream(signal, ({ signal: hungUp }) => {
    return new Promise((resolve) => {
      hungUp.addEventListener("abort", () => {
        wasAborted = true;
        resolve("nobody");
      });
    });
  });
  await left.body!.cancel();
  expect(wasAborted).toBe(true);
  const failed = answerStream(signal, () => Promise.reject(new Error("broken")));
  await expect(failed.text()).rejects.toThrow("broken");
});
