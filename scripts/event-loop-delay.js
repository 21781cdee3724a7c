/**
 * Measures how late the event loop comes to what is due, in whatever process loads it:
 *
 *     THROTTLE_DELAY_LOG=FOLDER NODE_OPTIONS="--import $PWD/scripts/event-loop-delay.js" npm start
 *
 * Each process writes one JSON line a second into a file of its own in FOLDER: delay in milliseconds (median, 99th of a
 * hundred, longest) of that second, resident memory and its peak in bytes. The last line is about all its seconds.
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 5;
const NANOS = 1e6;
const folder = process.env.THROTTLE_DELAY_LOG;

function measure(path) {
  const each = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const all = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  // A timer is late by the resolution where nothing else is: that is no delay.
  const late = (nanos) => Math.max(0, Math.round((nanos / NANOS - RESOLUTION_MS) * 10) / 10);
  const line = (kind, delay) =>
    appendFileSync(
      path,
      `${JSON.stringify({
        kind,
        at: new Date().toISOString(),
        median_ms: late(delay.percentile(50)),
        p99_ms: late(delay.percentile(99)),
        longest_ms: late(delay.max),
        resident_bytes: process.memoryUsage.rss(),
        peak_bytes: process.resourceUsage().maxRSS * 1024,
      })}\n`,
    );
  each.enable();
  all.enable();
  setInterval(() => {
    line("second", each);
    each.reset();
  }, 1000).unref();
  process.on("exit", () => line("all", all));
}

if (folder !== undefined) {
  mkdirSync(folder, { recursive: true });
  measure(join(folder, `${process.pid}-${basename(process.argv[1] ?? "node")}.jsonl`));
}
