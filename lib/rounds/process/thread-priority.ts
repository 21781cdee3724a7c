import { readdirSync, readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** By how much a thread lets the others of its process go first: one step of Linux's priorities is a fourth of a core. */
const PATIENCE = 9;
/** The last of Linux's priorities. */
const LAST = 19;

/** The number that the operating system knows this thread by; null where it tells none (other than Linux). */
export function ownThread(): number | null {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return null;
  }
}

/** The numbers of this process's threads; null where the system tells none. */
export function ownThreads(): number[] | null {
  try {
    return readdirSync("/proc/self/task").map(Number);
  } catch {
    return null;
  }
}

/** Sets a thread's priority from what the calling thread's is. */
function set(thread: number | null, priorityOf: (own: number) => number): boolean {
  if (thread === null) return false;
  try {
    setPriority(thread, priorityOf(getPriority()));
    return true;
  } catch {
    return false;
  }
}

/** Lets every other thread of the process have a core first; whether that could be done. For the thread itself to call. */
export const yieldCore = (thread: number | null): boolean =>
  set(thread, (own) => Math.min(LAST, own + PATIENCE));

/**
 * Ends that: the thread is as the one that calls. Only a privileged process may; another one's thread stays patient, and
 * has what is left over.
 */
export const claimCore = (thread: number | null): boolean => set(thread, (own) => own);

/**
 * Has every other thread that the process has by now let the calling one go first: compilers, collectors, readers. Each is
 * short of work, but wherever one wakes, whoever is at work on that core waits.
 */
export function goFirst(): void {
  const own = ownThread();
  if (own === null) return;
  for (const thread of ownThreads() ?? []) if (thread !== own) yieldCore(thread);
}
