import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** Linux's priorities of a thread: what it is by default, and for work that may wait while somebody else has some. */
const DEFAULT = 0;
const PATIENT = 10;

/** The number that the operating system knows this thread by; null where it tells none (other than Linux). */
export function ownThread(): number | null {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return null;
  }
}

function set(thread: number | null, priority: number): boolean {
  if (thread === null) return false;
  try {
    setPriority(thread, priority);
    return true;
  } catch {
    return false;
  }
}

/** Lets every other thread of the process have a core first; whether that could be done. */
export const yieldCore = (thread: number | null): boolean => set(thread, PATIENT);

/** Ends that. Only a privileged process may; another one's thread stays patient, and has what is left over. */
export const claimCore = (thread: number | null): boolean => set(thread, DEFAULT);
