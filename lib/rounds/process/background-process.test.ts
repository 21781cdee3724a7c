import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { expect, test } from "vitest";

/** A process that steps back, and then tells the priorities of all its threads, of a later one, of its child, and its session's. */
const source = (detached: boolean) => `
  import { spawnSync } from "node:child_process";
  import { existsSync, readdirSync, readFileSync } from "node:fs";
  import { getPriority } from "node:os";
  import { Worker } from "node:worker_threads";
  const { letServerFirst } = await import(${JSON.stringify(new URL("background-process.ts", import.meta.url).href)});
  letServerFirst();
  const of = (threads) => [...new Set(threads.map((thread) => getPriority(thread)))];
  const now = () => existsSync("/proc/self/task") ? readdirSync("/proc/self/task").map(Number) : [0];
  const before = of(now());
  const worker = new Worker("setInterval(() => {}, 1000)", { eval: true });
  await new Promise((resolve) => worker.once("online", resolve));
  const later = of(now());
  const child = spawnSync(process.execPath, ["-p", "os.getPriority()"], { encoding: "utf8" }).stdout.trim();
  // It is said again until it is heard.
  const isLeader = ${detached};
  const end_ms = Date.now() + 5000;
  while (isLeader && existsSync("/proc/self/autogroup") && Date.now() < end_ms) {
    if (readFileSync("/proc/self/autogroup", "utf8").trim().endsWith("nice 5")) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const session = existsSync("/proc/self/autogroup") ? readFileSync("/proc/self/autogroup", "utf8").trim() : "nice none";
  console.log(JSON.stringify({ before, later, child, session: session.split("nice ")[1] }));
  process.exit(0);
`;

async function told(detached: boolean) {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source(detached)], {
    detached,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  await once(child, "close");
  return JSON.parse(text) as { before: number[]; later: number[]; child: string; session: string };
}

const sessionNow = () =>
  existsSync("/proc/self/autogroup")
    ? readFileSync("/proc/self/autogroup", "utf8").trim().split("nice ")[1]
    : "none";

test("all threads of a process step back, those that come later, and what it starts", async () => {
  const { before, later, child } = await told(true);
  expect(before).toEqual([5]);
  expect(later).toEqual([5]);
  expect(child).toBe("5");
});

test("a session of its own steps back too; one that others are in stays as it is", async () => {
  const own = await told(true);
  expect(own.session).toBe(sessionNow() === "none" ? "none" : "5");
  const former = sessionNow();
  const priority = getPriority();
  expect((await told(false)).session).toBe(former);
  expect(sessionNow()).toBe(former);
  expect(getPriority()).toBe(priority);
});
