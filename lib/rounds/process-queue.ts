import type { ChildProcess } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import type { Store } from "../store/open-store.ts";
import { forkProcess } from "./forked-process.ts";

/** How work ends that its process did not end itself: it was killed, it died, or its ending could not be stored. */
export type Stopped = { kind: "failed"; message: string } | { kind: "cancelled" };

/** What a process says on its way. */
interface Told<Progress> {
  kind: "progress";
  progress: Progress;
}

/** What a queue's processes work out, and how its beginning and ending are kept. */
export interface QueuedWork<Job, Ending> {
  /** What one of it is called in messages. */
  noun: string;
  /** The script that works one out, from the project's root. */
  script: string;
  /** The name of its staging folder. */
  folderOf(id: string): string;
  /** Notes that it runs, and says what its process is asked; null where it is no longer there. */
  begin(id: string, folder: string): Promise<Job | null>;
  /** Stores what its process ended with. */
  finish(id: string, ending: Ending, job: Job): Promise<void>;
  /** Stores that it was stopped; nothing of what it had begun is kept. */
  stop(id: string, stopped: Stopped): Promise<void>;
}

/**
 * Works things out one after the other, each in a process of its own, so that pages answer meanwhile and each can be killed.
 * Whatever waits is in the store too, so that nothing is lost with this process.
 */
export class ProcessQueue<Job, Ending extends { kind: string }, Progress> {
  private readonly store: Store;
  private readonly work: QueuedWork<Job, Ending>;
  private readonly queue: string[] = [];
  private readonly progress = new Map<string, Progress>();
  private readonly cancelled = new Set<string>();
  /** The one whose turn it is, from before its process starts until its ending is stored. */
  private active: string | null = null;
  /** Settles when that one is finished, however it ended. */
  private ended: Promise<void> = Promise.resolve();
  private child: ChildProcess | null = null;
  private isDraining = false;
  /** Told of each one when its ending is stored, whatever that is. */
  private readonly onEnded: (id: string) => void;

  constructor(store: Store, work: QueuedWork<Job, Ending>, onEnded: (id: string) => void = () => {}) {
    this.store = store;
    this.work = work;
    this.onEnded = onEnded;
  }

  /** Queues one that is in the store. */
  enqueue(id: string): void {
    this.queue.push(id);
    void this.drain();
  }

  progressOf(id: string): Progress | null {
    return this.progress.get(id) ?? null;
  }

  /** Cancels one that waits or runs; what it had begun is thrown away. Answers when it has ended: false where it had already. */
  async cancel(id: string): Promise<boolean> {
    if (this.active === id) {
      this.cancelled.add(id);
      this.child?.kill("SIGKILL");
      await this.ended;
      return true;
    }
    const at = this.queue.indexOf(id);
    if (at < 0) return false;
    this.queue.splice(at, 1);
    await this.work.stop(id, { kind: "cancelled" });
    this.onEnded(id);
    return true;
  }

  private async drain(): Promise<void> {
    if (this.isDraining) return;
    this.isDraining = true;
    for (let id = this.queue.shift(); id !== undefined; id = this.queue.shift()) {
      this.active = id;
      this.ended = this.runToItsEnd(id);
      await this.ended;
      this.active = null;
      this.cancelled.delete(id);
      this.onEnded(id);
    }
    this.isDraining = false;
  }

  private async runToItsEnd(id: string): Promise<void> {
    try {
      await this.run(id);
    } catch (error) {
      console.error(`${this.work.noun} ${id}:`, error);
      const message = error instanceof Error ? error.message : String(error);
      await this.work.stop(id, { kind: "failed", message });
    }
  }

  private async run(id: string): Promise<void> {
    const folder = this.store.stagingDir(this.work.folderOf(id));
    await mkdir(folder, { recursive: true });
    const job = await this.work.begin(id, folder);
    if (job !== null) await this.endOf(id, job);
    // Its ending is stored: from here on there is nothing to cancel.
    this.active = null;
    await rm(folder, { recursive: true, force: true });
  }

  private async endOf(id: string, job: Job): Promise<void> {
    const { ending, died } = await this.inProcess(id, job);
    if (this.cancelled.has(id)) return this.work.stop(id, { kind: "cancelled" });
    if (ending === null) return this.work.stop(id, { kind: "failed", message: died });
    return this.work.finish(id, ending, job);
  }

  /** What the process ended with; null where it died before it said anything. */
  private async inProcess(id: string, job: Job): Promise<{ ending: Ending | null; died: string }> {
    let ending: Ending | null = null;
    const { child, ended } = forkProcess<Job, Told<Progress> | Ending>(this.work.script, job, (message) => {
      if (isTold(message)) this.progress.set(id, message.progress);
      else ending = message;
    });
    this.child = child;
    // Cancelled while the process was being made ready: it must not begin.
    if (this.cancelled.has(id)) child.kill("SIGKILL");
    const { code, signal, error } = await ended;
    this.child = null;
    this.progress.delete(id);
    return { ending, died: error ?? `the ${this.work.noun}'s process ended (${signal ?? `status ${code}`})` };
  }
}

function isTold<Progress>(message: Told<Progress> | { kind: string }): message is Told<Progress> {
  return message.kind === "progress";
}
