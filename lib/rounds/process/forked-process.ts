import { fork } from "node:child_process";
import { join } from "node:path";
import { compileCacheDir, projectRoot } from "../settings.ts";

/** Heap of a process in MiB: a million requests with both sides' arithmetic take about 2 GB. */
const HEAP_MIB = 8192;
/**
 * What is larger is given back to the system as soon as it is let go. By itself glibc learns to keep ever larger pieces,
 * between which lies what is not: of ten million requests a sixth more than there is.
 */
const GIVEN_BACK_BYTES = 256 * 1024;
/** Characters kept of what a process wrote to stderr. */
const SAID_KEPT = 4000;

/** How a process ended. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started, or what it says went wrong. */
  error?: string;
}

/** What a process tells its parent before it ends without an answer. */
export interface ProcessFailure {
  failed: string;
}

const isFailure = (message: unknown): message is ProcessFailure =>
  typeof message === "object" && message !== null && "failed" in message;

/** Kills all processes of a group; whether there were any. */
export function killGroup(group: number): boolean {
  try {
    return process.kill(-group, "SIGKILL");
  } catch {
    return false;
  }
}

/**
 * Starts one of the program's own scripts in a process of its own and hands it a job. What that process starts is killed
 * with it, and does not outlive it however it ends: they are a group.
 * @param onMessage told of every message the process sends, but for that it failed
 * @returns `pid` is undefined where it could not be started; `ended` settles when it has ended and all that it had sent has been told
 */
export function forkProcess<Job, Message>(
  script: string,
  job: Job,
  onMessage: (message: Message) => void,
): { pid: number | undefined; kill: () => void; ended: Promise<ProcessEnd> } {
  const child = fork(join(/* turbopackIgnore: true */ projectRoot(), script), [], {
    detached: true,
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    env: {
      MALLOC_MMAP_THRESHOLD_: String(GIVEN_BACK_BYTES),
      ...process.env,
      // Node itself reads this one, in the process and in its threads.
      NODE_COMPILE_CACHE: compileCacheDir(),
    },
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  const kill = () => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-SAID_KEPT);
  });
  let failure: string | undefined;
  // What is left in the channel is told before it is said that the channel is closed, which may be after the end.
  const told = new Promise<void>((resolve) => child.once("disconnect", resolve));
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.on("message", (message) => {
      if (isFailure(message)) failure = message.failed;
      else onMessage(message as Message);
    });
    child.on("error", (error) => {
      kill();
      resolve({ code: null, signal: null, error: error.message });
    });
    child.on("exit", async (code, signal) => {
      kill();
      await told;
      if (said !== "") console.error(said);
      resolve({ code, signal, ...(failure === undefined ? {} : { error: failure }) });
    });
    child.send(job as never);
  });
  return { pid: child.pid, kill, ended };
}
