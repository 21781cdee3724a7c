import { workerData } from "node:worker_threads";
import { killGroup } from "./forked-process.ts";

/** How often it is looked whether the parent is still there. */
const LOOK_EVERY_MS = 500;

// In a thread of its own: the process may be busy for seconds, and then hears of nothing.
const parent = workerData as number;
setInterval(() => {
  if (process.ppid !== parent && !killGroup(process.pid)) process.kill(process.pid, "SIGKILL");
}, LOOK_EVERY_MS);
