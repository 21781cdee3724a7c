import { fork } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { acceptReport } from "../../acceptance/accept-report.ts";
import type { Recomputing } from "../run/recompute-beside.ts";
import { type RoundFiles, runRound } from "../run/run-round.ts";
import { compileCacheDir } from "../settings.ts";
import { makeRound } from "./made-round.ts";

/** Ten million requests take minutes and 4 GB of disk: only where they are asked for. */
const SIZES = process.env.THROTTLE_BENCH_LARGE === "1" ? [1_000_000, 10_000_000] : [1_000_000];
/** Of a size: what takes long varies less. */
const runsOf = (requests: number): number => (requests > 1_000_000 ? 1 : 7);
const TENANTS = 1000;
const SPAN_MS = 3_600_000;

/** What a step took: seconds since it began, and the most resident memory so far, in bytes. */
interface Taken {
  seconds: number;
  resident_bytes: number;
}
/** A step by its name; the parts of a round are told as they end. */
type Step = (files: RoundFiles) => Promise<Record<string, Taken>>;

function watch(): () => Taken {
  const start = performance.now();
  return () => ({
    seconds: (performance.now() - start) / 1000,
    resident_bytes: process.resourceUsage().maxRSS * 1024,
  });
}

/** The floor: scan and sort of the same file, into the second and third level of §3.5, and nothing else. */
const floor: Step = async ({ input }) => {
  const database = await DuckDBInstance.create(":memory:");
  const connection = await database.connect();
  const taken = watch();
  const columns = "{req_id:'VARCHAR',tenant:'VARCHAR',arrival_ms:'BIGINT',cost:'DOUBLE',mode:'VARCHAR'}";
  await connection.run(
    `CREATE TABLE sorted AS SELECT * FROM read_json('${input.replaceAll("'", "''")}',
       format='newline_delimited', columns=${columns}) ORDER BY arrival_ms, req_id`,
  );
  return { floor: taken() };
};

/** The whole round: file to stored report, then what the reference finds and health, in the service's schedule or another. */
async function roundWith(files: RoundFiles, recomputing?: Recomputing): Promise<Record<string, Taken>> {
  const taken = watch();
  const parts: Record<string, Taken> = {};
  let before = "";
  const decided = await runRound(files, {
    reading: "strict",
    faults: [],
    ...(recomputing !== undefined && { recomputing }),
    onProgress: ({ phase }) => {
      if (phase !== before) parts[phase] = taken();
      before = phase;
    },
  });
  if (decided.kind !== "decided" || decided.truth.status !== 0) throw new Error("the round is not clean");
  const whole = taken();
  const { documents, columns, report, contentChecksum } = decided;
  const accepting = watch();
  const accepted = acceptReport({ ...documents, columns, report, contentChecksum });
  if (!accepted.every(({ passed }) => passed === true)) throw new Error("the round is not accepted");
  return { ...parts, whole, acceptance: accepting() };
}

/** As every round is run: the reference beside the engine, which goes first, to 512 MiB of stream; after it above that. */
const service: Step = (files) => roundWith(files);
/** What the same would take where the reference waits although there is memory for both. */
const after: Step = (files) => roundWith(files, "after");

const STEPS: Record<string, Step> = { floor, service, after };
const TOLD: Record<string, string> = {
  service: "as rounds are run",
  after: "were the reference to wait",
};

/** Runs a step in a process of its own, and how late this process's event loop was meanwhile, in milliseconds. */
async function inProcess(step: string, files: RoundFiles): Promise<[Record<string, Taken>, number]> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const child = fork(fileURLToPath(import.meta.url), [step, JSON.stringify(files)], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCacheDir() },
  });
  const found = await new Promise<Record<string, Taken>>((resolve, reject) => {
    child.on("message", (taken) => resolve(taken as Record<string, Taken>));
    child.on("exit", (code) => reject(new Error(`${step} ended with ${code}`)));
  });
  delay.disable();
  return [found, delay.percentile(99) / 1e6];
}

/** The one in the middle: what a busy machine adds to some runs is in none of it. */
const median = (taken: Taken[]): Taken =>
  taken.toSorted((one, other) => one.seconds - other.seconds)[Math.floor(taken.length / 2)]!;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

async function measure(requests: number): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const files = await makeRound(folder, { requests, tenants: TENANTS, span_ms: SPAN_MS, order: "arrival" });
    // Of ten million the reference waits in any case.
    const schedules = requests > 1_000_000 ? ["service"] : ["service", "after"];
    const found = Object.fromEntries(
      ["floor", ...schedules].map((step): [string, Record<string, Taken>[]] => [step, []]),
    );
    let late_ms = 0;
    // In turn, so that whatever else the machine does meets all alike.
    const runs = runsOf(requests);
    for (let run = 0; run < runs; run++)
      for (const [step, taken] of Object.entries(found)) {
        // A round's report has a place of its own: none has to give way to it.
        await rm(files.report, { force: true });
        const [parts, delay_ms] = await inProcess(step, files);
        taken.push(parts);
        late_ms = Math.max(late_ms, delay_ms);
      }
    const typical = (step: string, part: string) => median(found[step]!.map((parts) => parts[part]!));
    const base = typical("floor", "floor");
    const row = (what: string, { seconds, resident_bytes }: Taken) =>
      [
        what.padEnd(58),
        `${seconds.toFixed(2).padStart(7)} s`,
        `${(seconds / base.seconds).toFixed(2).padStart(6)} ×`,
        `${(requests / seconds / 1e6).toFixed(2).padStart(6)} M requests/s`,
        megabytes(resident_bytes).padStart(8),
      ].join("  ");
    return [
      `${requests.toLocaleString("en")} requests, ${megabytes((await stat(files.input)).size)}, ${TENANTS} tenants, one hour; medians of ${runs} in turn`,
      row("floor: DuckDB scans and sorts the file", base),
      ...schedules.flatMap((schedule) => [
        row(`${TOLD[schedule]}: file to stored report`, typical(schedule, "recompute")),
        row(`${TOLD[schedule]}: the same with everything verified`, typical(schedule, "whole")),
      ]),
      row("acceptance of the same, which is not in it", typical("service", "acceptance")),
      `event loop of the process that waits, delay p99: ${late_ms.toFixed(1)} ms`,
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A whole round beside the bare scan and sort of the same file by DuckDB, each in a process of its own. */
export async function bench(): Promise<string[]> {
  const rows: string[] = [];
  for (const requests of SIZES) rows.push(...(await measure(requests)));
  if (SIZES.length === 1) rows.push("ten million requests: THROTTLE_BENCH_LARGE=1 (minutes, 4 GB of disk)");
  return rows;
}

const [, script, step, files] = process.argv;
if (script === fileURLToPath(import.meta.url) && step !== undefined && files !== undefined) {
  process.send?.(await STEPS[step]!(JSON.parse(files)));
  process.disconnect();
}
