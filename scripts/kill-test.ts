/**
 * Kills a server with SIGKILL at random moments of upload, submission, import, decision and check, and the process of a
 * round alone, starts the server again each time, and says what is left: every round must be finished after the last
 * start, or failed where its own process was killed, and no file left that nobody refers to.
 *
 *     node scripts/kill-test.ts [--kills N] [--requests N] [--latest-ms N]
 */
import { parseArgs } from "node:util";
import { killTrial } from "../lib/rounds/trials/kill-trial.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    requests: { type: "string", default: "20000" },
    "latest-ms": { type: "string", default: "3000" },
  },
});
let killed = 0;
const result = await killTrial({
  kills: Number(values.kills),
  requests: Number(values.requests),
  latest_ms: Number(values["latest-ms"]),
  onKill: (activity) => console.error(`${++killed}: killed at ${activity}`),
});
console.log(JSON.stringify(result));
if (result.faults.length > 0) process.exitCode = 1;
