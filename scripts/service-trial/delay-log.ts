import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A line of `scripts/event-loop-delay.js`: what a process was like for a quarter of a second that ended at `at_ms`. */
export interface DelayLine {
  kind: "stretch" | "all";
  at_ms: number;
  /** Delays that were taken. */
  count: number;
  /** Up to which percentile they were how late at most, in milliseconds, rising. */
  steps: [percentile: number, late_ms: number][];
  /** How long the main thread ran, and waited for a core; null where the system does not tell. */
  ran_ms: number | null;
  waited_ms: number | null;
  collected_ms: number;
  disk_pages: number;
  resident_bytes: number;
  peak_bytes: number;
}

/** What an event loop was like over a while. Delays are never told as less than they were. */
export interface LoopDelay {
  p50_ms: number;
  p99_ms: number;
  longest_ms: number;
  /** Parts of the time, from 0 to 1. */
  ran: number;
  waited: number;
  collected: number;
  disk_pages: number;
}

/** The lines that a process wrote, whichever script it ran. */
export async function readDelayLog(folder: string, pid: number): Promise<DelayLine[]> {
  const name = (await readdir(folder)).find((file) => file.startsWith(`${pid}-`));
  if (name === undefined) throw new Error(`process ${pid} wrote nothing into ${folder}`);
  const text = await readFile(join(folder, name), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as DelayLine);
}

/** The delays of several lines as one distribution: how many were how late at most. */
function merged(lines: readonly DelayLine[]): { late_ms: number; weight: number }[] {
  const all = lines.flatMap(({ count, steps }) =>
    steps.map(([percentile, late_ms], at) => ({
      late_ms,
      weight: (count * (percentile - (steps[at - 1]?.[0] ?? 0))) / 100,
    })),
  );
  return all.sort((one, other) => one.late_ms - other.late_ms);
}

/** Of weighted values in rising order, the one below or at which a part of the weight lies. */
function quantile(values: readonly { late_ms: number; weight: number }[], part: number): number {
  const total = values.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  for (const { late_ms, weight } of values) {
    below += weight;
    if (below >= total * part) return late_ms;
  }
  return values.at(-1)?.late_ms ?? 0;
}

/** What the loop was like between two moments (Unix milliseconds); null where no line is of that while. */
export function loopDelay(lines: readonly DelayLine[], from_ms: number, to_ms: number): LoopDelay | null {
  const within = lines.filter(({ kind, at_ms }) => kind === "stretch" && at_ms > from_ms && at_ms <= to_ms);
  const first = within[0];
  if (first === undefined) return null;
  const before = lines[lines.indexOf(first) - 1]?.at_ms ?? from_ms;
  const span_ms = Math.max(1, within.at(-1)!.at_ms - before);
  const part = (of: (line: DelayLine) => number | null) =>
    within.reduce((sum, line) => sum + (of(line) ?? 0), 0) / span_ms;
  const delays = merged(within);
  return {
    p50_ms: quantile(delays, 0.5),
    p99_ms: quantile(delays, 0.99),
    longest_ms: delays.at(-1)?.late_ms ?? 0,
    ran: part(({ ran_ms }) => ran_ms),
    waited: part(({ waited_ms }) => waited_ms),
    collected: part(({ collected_ms }) => collected_ms),
    disk_pages: within.reduce((sum, { disk_pages }) => sum + disk_pages, 0),
  };
}
