import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "../store/open-store.ts";
import { makeRound } from "./made-round.ts";
import type { RoundFiles } from "./run-round.ts";
import { RoundsService } from "./service.ts";
import { projectRoot } from "./settings.ts";

/** How a trial is done. */
export interface KillTrial {
  kills: number;
  /** Of the stream that is uploaded and decided again and again. */
  requests: number;
  /** A kill comes at a random moment up to so long after the start, in milliseconds. */
  latest_ms: number;
  onKill?: (activity: string) => void;
}

/** What came of it. */
export interface KillResult {
  /** What the server was at when it was killed, and how often. */
  killed_at: Record<string, number>;
  /** States of all rounds that had been acknowledged, once the last start has gone on with them. */
  states: Record<string, number>;
  /** Whatever should not be so; empty where all is well. */
  faults: string[];
}

/** What a killed server had said. */
interface Killed {
  activity: string;
  submitted: string[];
}

function start(files: RoundFiles, data: string): ChildProcess {
  const script = join(projectRoot(), "lib/rounds/kill-server.ts");
  return spawn(process.execPath, [script, files.input, files.contract, files.policy], {
    env: { ...process.env, THROTTLE_DATA: data },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Starts a server, and kills it some time after it has opened its store. */
async function startAndKill(files: RoundFiles, data: string, after_ms: number): Promise<Killed> {
  const child = start(files, data);
  const ended = once(child, "exit");
  const killed: Killed = { activity: "start", submitted: [] };
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
  if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
  await new Promise((resolve) => setTimeout(resolve, after_ms));
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

/** Waits until no round waits or runs. */
async function settle(service: RoundsService, ids: readonly string[]): Promise<Map<string, string>> {
  const states = new Map<string, string>();
  for (const id of ids)
    for (;;) {
      const state = (await service.round(id))?.state ?? "lost";
      states.set(id, state);
      if (state !== "waiting" && state !== "running") break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  return states;
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
  const activities: string[] = [];
  const ids: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const killed = await startAndKill(files, data, Math.random() * latest_ms);
    activities.push(killed.activity);
    ids.push(...killed.submitted);
    onKill?.(killed.activity);
  }
  const store = await openStore(data);
  try {
    const service = new RoundsService(store);
    const faults = (await strayFiles(data, store)).map((fault) => `after the last start: ${fault}`);
    await service.resume();
    const states = await settle(service, ids);
    for (const [id, state] of states) if (state !== "done") faults.push(`round ${id} is ${state}`);
    // What is made of a round stands in its own folder until it is taken over; at the end none is left.
    faults.push(...(await strayFiles(data, store)));
    const whole = (await stat(files.input)).size;
    const uploads = await readdir(join(data, "uploads"), { withFileTypes: true });
    for (const { name } of uploads)
      if ((await stat(join(data, "uploads", name))).size > whole) faults.push(`upload ${name} is too long`);
    // An upload that was cut off can be taken up again: of each kill at most one.
    if (uploads.length > kills) faults.push(`${uploads.length} uploads are left of ${kills} kills`);
    return { killed_at: count(activities), states: count(states.values()), faults };
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
