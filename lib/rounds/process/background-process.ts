import { readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { ownThreads } from "./thread-priority.ts";

/**
 * A fourth of a core is left where another one wants all of it. Less would be starving: it is weighed against whatever
 * else the machine does, and not against the server alone, which seldom wants more than a tenth.
 */
const BACKGROUND = 5;
/** How often that is said again where it was not heard, and how long apart. */
const TRIES = 10;
const AGAIN_MS = 150;

/** Whether this process began a session (Linux): then what is said of the session is said of what it started, and no more. */
function leadsSession(): boolean {
  // Behind the name, which may hold anything: state, parent, group, session.
  const fields = readFileSync("/proc/self/stat", "latin1").split(") ").at(-1)!.split(" ");
  return Number(fields[3]) === process.pid;
}

/** Where a system has no such thing, or does not let it be done, nothing is. */
function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // It is as fast without.
  }
}

/** Says what share the session is to have. Of those who are not privileged Linux hears one in a tenth of a second. */
function stepBack(tries: number): void {
  try {
    writeFileSync("/proc/self/autogroup", String(BACKGROUND));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || tries === 0) return;
    setTimeout(() => stepBack(tries - 1), AGAIN_MS).unref();
  }
}

/**
 * Lets the server have a core before this process and all that it starts, which has every core that nobody wants. On
 * Linux priorities are of threads: those that are there are set one by one, and what they start inherits them. Where it
 * shares cores among sessions before threads, only the session's share counts.
 */
export function letServerFirst(): void {
  const threads = ownThreads();
  if (threads === null) return attempt(() => setPriority(BACKGROUND));
  for (const thread of threads) attempt(() => setPriority(thread, BACKGROUND));
  attempt(() => {
    if (leadsSession()) stepBack(TRIES);
  });
}
