import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { viewFilesIn } from "../../store/view-format.ts";
import { forkProcess } from "../process/forked-process.ts";
import type { RoundJob, RoundMessage } from "../run/round-message.ts";
import type { RoundFiles } from "../run/run-round.ts";
import { makeRound } from "./made-round.ts";
import { FALSE_GREEN_FAULTS, PROBLEM_FAULTS } from "./scenario.ts";

/** Ten million requests take many minutes and 6 GB of disk: only where they are asked for. */
const REQUESTS = process.env.THROTTLE_BENCH_LARGE === "1" ? 10_000_000 : 1_000_000;
/** What a round of ten million requests may take, in MiB of resident memory. */
const BOUND_MIB = 2048;
/** How often it is looked how much a process has taken so far, which only grows. */
const LOOK_MS = 100;

/** The most resident memory of a process so far, in MiB; null where the system does not tell, or it has ended. */
async function peakOf(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(status);
  return found === null ? null : Number(found[1]) / 1024;
}

/** What a round's process came to: from its files to a stored view, and all signals. */
interface Ended {
  seconds: number;
  peak_mib: number;
  differences: number;
}

/** Runs a round as the service does, in the process that it has there. */
async function run(folder: string, files: RoundFiles, faults: string[], isAudit: boolean): Promise<Ended> {
  const job: RoundJob = {
    ...{ files, faults, log: null, viewOnly: false, reading: "strict" },
    view: { files: viewFilesIn(folder), temporary: join(folder, "queries") },
    audit: isAudit ? { report_name: "report.json", exit_status: 0 } : null,
    names: { contract: "contract.json", policy: "policy.json", input: "stream.jsonl" },
  };
  const start = performance.now();
  let answer: RoundMessage | null = null;
  const { pid, ended } = forkProcess("lib/rounds/run/round-process.ts", job, (message: RoundMessage) => {
    if (message.kind !== "progress") answer = message;
  });
  let peak_mib = 0;
  const looking = setInterval(async () => {
    peak_mib = Math.max(peak_mib, (await peakOf(pid!)) ?? 0);
  }, LOOK_MS);
  const { code } = await ended;
  clearInterval(looking);
  const found = answer as RoundMessage | null;
  if (code !== 0 || found?.kind !== "done") throw new Error(`the round's process ended with ${code}`);
  const { mismatches, indeterminate } = found.summary.truth;
  return { seconds: (performance.now() - start) / 1000, peak_mib, differences: mismatches + indeterminate };
}

/** The most memory of a round's process: clean, in the problem state, and when each one's report is audited. One line each. */
export async function bench(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const made = { requests: REQUESTS, tenants: 1000, span_ms: 3_600_000, order: "arrival" } as const;
    const files = await makeRound(folder, made);
    const row = (what: string, { seconds, peak_mib, differences }: Ended) => {
      const bound = peak_mib < BOUND_MIB ? `below ${BOUND_MIB}` : `ABOVE ${BOUND_MIB}`;
      const peak = peak_mib === 0 ? "not told here" : `${Math.round(peak_mib)} MiB (${bound})`;
      return `${what.padEnd(34)}  ${seconds.toFixed(1).padStart(6)} s  ${differences.toLocaleString("en").padStart(10)} differences  peak ${peak}`;
    };
    const rows = [`${REQUESTS.toLocaleString("en")} requests, view and signals included; one process each`];
    for (const [state, faults] of [
      ["clean", []],
      ["every fault of the problem state", [...PROBLEM_FAULTS, ...FALSE_GREEN_FAULTS]],
    ] as const) {
      rows.push(row(state, await run(folder, files, [...faults], false)));
      rows.push(row("  an audit of its report", await run(folder, files, [], true)));
    }
    if (REQUESTS < 10_000_000)
      rows.push("ten million requests: THROTTLE_BENCH_LARGE=1 (many minutes, 6 GB of disk)");
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}
