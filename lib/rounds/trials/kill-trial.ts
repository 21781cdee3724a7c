import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RoundListItem } from "../../../contract/round-view.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { MAPPING } from "../logs/combined-log.ts";
import type { RoundFiles } from "../run/run-round.ts";
import { RoundsService } from "../service.ts";
import { projectRoot } from "../settings.ts";
import { makeRound } from "./made-round.ts";

/** How a trial is done. */
export interface KillTrial {
  /** How often the server is started and killed; before every other time a round's process is killed alone. */
  kills: number;
  /** Of the stream and of the log that are uploaded and decided again and again. */
  requests: number;
  /** A kill comes at a random moment up to so long after the start, in milliseconds. */
  latest_ms: number;
  onKill?: (activity: string) => void;
}

/** What came of it. */
export interface KillResult {
  /** What the server was at when it was killed, and how often. */
  killed_at: Record<string, number>;
  /** The same of the rounds' processes that were killed alone. */
  processes_killed_at: Record<string, number>;
  /** States of all rounds that had been acknowledged, once the last start has gone on with them; a killed process fails its own. */
  states: Record<string, number>;
  /** Whatever should not be so; empty where all is well. */
  faults: string[];
}

/** What a killed server had said, and what it was at when the process of its round was killed. */
interface Killed {
  activity: string;
  submitted: string[];
  process_at: string | null;
}

/** The log that is imported, and how: lines of the combined format, one a millisecond. */
async function writeLog(path: string, requests: number): Promise<string> {
  const lines = Array.from({ length: requests }, (_, at) => {
    const second = String(Math.floor(at / 1000) % 60).padStart(2, "0");
    const minute = String(Math.floor(at / 60_000) % 60).padStart(2, "0");
    return `192.0.2.${at % 20} - - [25/Oct/2026:10:${minute}:${second} +0000] "GET /${at} HTTP/1.1" 200 ${at} "-" "a"\n`;
  });
  await writeFile(path, lines.join(""));
  return JSON.stringify({ ...MAPPING, mode: { by: "constant", mode: "soft" } });
}

/** What the servers of a trial are started with. */
interface Inputs {
  files: RoundFiles;
  log: string;
  mapping: string;
}

function start({ files, log, mapping }: Inputs, data: string): ChildProcess {
  const script = join(projectRoot(), "lib/rounds/trials/kill-server.ts");
  return spawn(process.execPath, [script, files.input, files.contract, files.policy, log, mapping], {
    env: { ...process.env, THROTTLE_DATA: data },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** What a server says before the process of a round says anything. */
const BEFORE_WORK: ReadonlySet<string> = new Set([
  "start",
  "open",
  "upload",
  "submit",
  "submitted",
  "between",
]);
const LOOK_EVERY_MS = 5;
/** A kill of a round's process comes up to so long after it has begun. */
const AT_WORK_MS = 1500;

/** How often, and how long apart, it is looked whether a finished round's folder is gone. */
const STRAY_TRIES = 20;
const STRAY_PAUSE_MS = 100;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Kills the process of the round that a server runs; whether there was one. */
async function killRound({ pid }: ChildProcess): Promise<boolean> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const [round] = children.split(" ").filter((part) => part !== "");
  if (round === undefined) return false;
  try {
    process.kill(Number(round), "SIGKILL");
  } catch {
    // It has ended by itself in between.
    return false;
  }
  return true;
}

/**
 * Starts a server, and kills it some time after it has opened its store.
 * @param alone whether the process of its round is killed alone before
 */
async function startAndKill(inputs: Inputs, data: string, after_ms: number, alone: boolean): Promise<Killed> {
  const child = start(inputs, data);
  const ended = once(child, "exit");
  const killed: Killed = { activity: "start", submitted: [], process_at: null };
  const opened = new Promise<void>((resolve) => {
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split("\n").filter((part) => part !== "")) {
        const [word, id] = line.split(" ");
        killed.activity = word!;
        if (id !== undefined) killed.submitted.push(id);
      }
      resolve();
    });
  });
  await Promise.race([opened, ended]);
  if (alone) {
    // A round's process takes as long to start as to work: most kills would meet it before it has begun.
    for (
      let waited_ms = 0;
      BEFORE_WORK.has(killed.activity) && waited_ms < after_ms;
      waited_ms += LOOK_EVERY_MS
    )
      await pause(LOOK_EVERY_MS);
    await pause(Math.random() * AT_WORK_MS);
    if (await killRound(child)) killed.process_at = killed.activity;
  }
  await pause(after_ms);
  if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
  child.kill("SIGKILL");
  await ended;
  return killed;
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

/** Files that nobody refers to, or that are not what their names say. */
async function strayFiles(data: string, store: Store): Promise<string[]> {
  const faults: string[] = [];
  const referenced = await store.rounds.referenced();
  const all = await readdir(data, { recursive: true, withFileTypes: true });
  for (const entry of all.filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const place = path.slice(data.length + 1);
    if (place.startsWith("artifacts/")) {
      if (!referenced.has(entry.name)) faults.push(`${place} is referred to by no round`);
      else if ((await digestOf(path)) !== entry.name) faults.push(`${place} is not what its name says`);
    } else if (place.startsWith("staging/")) faults.push(`${place} was left half made`);
    else if (!place.startsWith("uploads/") && !/^(tenantthrottle|lock)\.sqlite/.test(place))
      faults.push(`${place} is nothing that is known`);
  }
  return faults;
}

/**
 * The rounds that were acknowledged, once none waits or runs: also none that a server had stored when it was killed, and
 * not acknowledged yet. What such a round makes is referred to only when it is done.
 */
async function settle(
  store: Store,
  service: RoundsService,
  ids: readonly string[],
): Promise<Map<string, RoundListItem | null>> {
  while ((await store.rounds.unfinished()).length > 0) await pause(20);
  const rounds = new Map<string, RoundListItem | null>();
  for (const id of ids) rounds.set(id, await service.round(id));
  return rounds;
}

/** Rounds that are not finished, but for those whose processes were killed: they are failed, and say so. */
function unfinished(rounds: ReadonlyMap<string, RoundListItem | null>, processesKilled: number): string[] {
  const faults: string[] = [];
  let failed = 0;
  for (const [id, round] of rounds) {
    if (round?.state === "done") continue;
    const isKilled = round?.state === "failed" && round.problem?.message.includes("SIGKILL") === true;
    if (isKilled) failed += 1;
    else faults.push(`round ${id} is ${round?.state ?? "lost"}: ${round?.problem?.message ?? ""}`);
  }
  if (failed > processesKilled)
    faults.push(`${failed} rounds say that their process was killed; ${processesKilled} were`);
  return faults;
}

const count = (words: Iterable<string>): Record<string, number> => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries(counts);
};

async function trial(folder: string, { kills, requests, latest_ms, onKill }: KillTrial): Promise<KillResult> {
  const data = join(folder, "data");
  await mkdir(data);
  const files = await makeRound(folder, { requests, tenants: 20, span_ms: 600_000, order: "shuffled" });
  const log = join(folder, "access.log");
  const inputs = { files, log, mapping: await writeLog(log, requests) };
  const activities: string[] = [];
  const processes: string[] = [];
  const ids: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const killed = await startAndKill(inputs, data, Math.random() * latest_ms, kill % 2 === 1);
    if (killed.process_at !== null) {
      processes.push(killed.process_at);
      onKill?.(`${killed.process_at}, the round's process alone`);
    }
    activities.push(killed.activity);
    ids.push(...killed.submitted);
    onKill?.(killed.activity);
  }
  const store = await openStore(data);
  try {
    const service = new RoundsService(store);
    const faults = (await strayFiles(data, store)).map((fault) => `after the last start: ${fault}`);
    await service.resume();
    const rounds = await settle(store, service, ids);
    faults.push(...unfinished(rounds, processes.length));
    // What is made of a round stands in its own folder until that is removed, right after the round is finished.
    let strays = await strayFiles(data, store);
    for (let tries = 0; strays.length > 0 && tries < STRAY_TRIES; tries++) {
      await pause(STRAY_PAUSE_MS);
      strays = await strayFiles(data, store);
    }
    faults.push(...strays);
    const sizes = await Promise.all([files.input, log].map(async (path) => (await stat(path)).size));
    const whole = Math.max(...sizes);
    const uploads = await readdir(join(data, "uploads"), { withFileTypes: true });
    for (const { name } of uploads)
      if ((await stat(join(data, "uploads", name))).size > whole) faults.push(`upload ${name} is too long`);
    // An upload that was cut off can be taken up again: of each kill at most one.
    if (uploads.length > kills) faults.push(`${uploads.length} uploads are left of ${kills} kills`);
    const states = [...rounds.values()].map((round) => round?.state ?? "lost");
    return {
      killed_at: count(activities),
      processes_killed_at: count(processes),
      states: count(states),
      faults,
    };
  } finally {
    await store.close();
  }
}

/** Kills a server at random moments, again and again, and looks what is left after the last start. */
export async function killTrial(options: KillTrial): Promise<KillResult> {
  const folder = await mkdtemp(join(tmpdir(), "kills-"));
  try {
    return await trial(folder, options);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
