import type { GateAnswer, LogProgress, Worked } from "../../contract/gate-console.ts";
import { forkProcess } from "../rounds/process/forked-process.ts";
import type { LogJob, LogMessage } from "./log-job.ts";

const PROCESS = "lib/gate-console/log-process.ts";
/** Each takes a processor and may take much memory. */
const AT_ONCE = 2;

// A module may be evaluated several times in one server; the global object is one.
const KEY = Symbol.for("tenantthrottle.log-work");
const holder = globalThis as { [KEY]?: { running: number } };

/** Who waits for the work: told how far it is, and able to end it. */
export interface Waiting {
  readonly onProgress: (progress: LogProgress) => void;
  /** Aborted: nobody waits any more, and the process is ended. */
  readonly signal: AbortSignal;
}

/** Works something out from decision logs in a process of its own, beside which the console answers everybody else. */
export async function workOnLogs<Result>(job: LogJob, waiting: Waiting): Promise<GateAnswer<Worked<Result>>> {
  holder[KEY] ??= { running: 0 };
  const work = holder[KEY];
  if (work.running >= AT_ONCE)
    return failed(503, `${AT_ONCE} audits or dry runs are under way already; try again`);
  work.running += 1;
  try {
    return await inProcess<Result>(job, waiting);
  } finally {
    work.running -= 1;
  }
}

const failed = (status: number, message: string): GateAnswer<never> => ({
  kind: "refused",
  status,
  problems: [{ file: "logs", path: "", message }],
});

async function inProcess<Result>(
  job: LogJob,
  { onProgress, signal }: Waiting,
): Promise<GateAnswer<Worked<Result>>> {
  let result: Result | null = null;
  const { kill, ended } = forkProcess<LogJob, LogMessage>(PROCESS, job, (message) => {
    if (message.kind === "progress") onProgress(message.progress);
    else result = message.result as Result;
  });
  signal.addEventListener("abort", kill);
  if (signal.aborted) kill();
  const { code, signal: killed, error } = await ended;
  signal.removeEventListener("abort", kill);
  if (result !== null) return { kind: "answer", value: { files: job.files.length, result } };
  return failed(500, error ?? `the process that read the logs ended (${killed ?? `status ${code}`})`);
}
