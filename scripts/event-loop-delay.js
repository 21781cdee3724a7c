/**
 * Measures how late the event loop comes to what is due, in whatever process loads it, and why:
 *
 *     THROTTLE_DELAY_LOG=FOLDER NODE_OPTIONS="--import $PWD/scripts/event-loop-delay.js" npm start
 *
 * Each process writes a JSON line every quarter of a second into a file of its own in FOLDER: delays in milliseconds as
 * steps of their distribution (up to which percentile, how late at most), how many were taken, how long the main thread
 * ran and how long it could have run but had no core (Linux; else null), how long it collected garbage, pages it had to
 * wait for the disk for, and resident memory. The last line is about its whole life.
 */
import { appendFile, appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const RESOLUTION_MS = 5;
const LINE_EVERY_MS = 250;
const NANOS = 1e6;
const folder = process.env.THROTTLE_DELAY_LOG;

/** Milliseconds that the main thread ran, and that it waited for a core; null where the system does not tell. */
function threadTimes() {
  try {
    const [ran, waited] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
    return { ran_ms: Number(ran) / NANOS, waited_ms: Number(waited) / NANOS };
  } catch {
    return null;
  }
}

/** What has come to pass up to now; a line tells by how much it grew. */
function counters(collected_ms) {
  const times = threadTimes();
  return {
    ran_ms: times?.ran_ms ?? null,
    waited_ms: times?.waited_ms ?? null,
    collected_ms,
    disk_pages: process.resourceUsage().majorPageFault,
  };
}

function measure(path) {
  const each = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const all = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const round = (value) => (value === null ? null : Math.round(value * 10) / 10);
  // A timer is late by the resolution where nothing else is: that is no delay.
  const late = (nanos) => Math.max(0, round(nanos / NANOS - RESOLUTION_MS));
  let collected_ms = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collected_ms += duration;
  }).observe({ entryTypes: ["gc"] });
  let before = counters(0);
  const line = (kind, delay, since) => {
    const now = counters(collected_ms);
    const grown = Object.entries(now).map(([name, value]) => [
      name,
      value === null ? null : round(value - since[name]),
    ]);
    before = now;
    return `${JSON.stringify({
      kind,
      at_ms: Date.now(),
      count: delay.count,
      steps: [...delay.percentiles].map(([percentile, nanos]) => [percentile, late(nanos)]),
      ...Object.fromEntries(grown),
      resident_bytes: process.memoryUsage.rss(),
      peak_bytes: process.resourceUsage().maxRSS * 1024,
    })}\n`;
  };
  each.enable();
  all.enable();
  const first = before;
  setInterval(() => {
    // Not at once: the disk may be what the process waits for.
    appendFile(path, line("stretch", each, before), () => {});
    each.reset();
  }, LINE_EVERY_MS).unref();
  process.on("exit", () => appendFileSync(path, line("all", all, first)));
}

if (folder !== undefined && isMainThread) {
  mkdirSync(folder, { recursive: true });
  measure(join(folder, `${process.pid}-${basename(process.argv[1] ?? "node")}.jsonl`));
}
