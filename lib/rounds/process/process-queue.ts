import { mkdir, rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { Store } from "../../store/open-store.ts";
import { forkProcess } from "./forked-process.ts";

/** How work ends that its process did not end itself: it was killed, it died, or its ending could not be stored. */
export type Stopped = { kind: "failed"; message: string } | { kind: "cancelled" };

/** How one ended: `finished` also where it was refused, or is no longer there. */
type Ended = Stopped["kind"] | "finished";

/** How often it is tried to store that one was stopped, where it cannot be stored. */
const STORED_AGAIN_MS = 1000;
/** A killed process is gone, but what it had begun to write may still come. */
const WHILE_WRITTEN = { maxRetries: 5, retryDelay: 50 } as const;

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
  /** Settles when that one has ended, and tells how. */
  private ended: Promise<Ended> = Promise.resolve("finished");
  /** Kills the process of that one; null while it has none. */
  private kill: (() => void) | null = null;
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
      this.kill?.();
      return (await this.ended) === "cancelled";
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

  /** Works one out and stores how it ended, whatever goes wrong: others wait for their turn. */
  private async runToItsEnd(id: string): Promise<Ended> {
    const folder = this.store.stagingDir(this.work.folderOf(id));
    const stopped = await this.run(id, folder).catch((error: unknown): Stopped => {
      console.error(`${this.work.noun} ${id}:`, error);
      return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
    });
    // First the files: where the disk is full they may be what fills it, and an ending takes room too.
    await this.removeFolder(folder);
    if (stopped !== null) await this.storeStop(id, stopped);
    return stopped?.kind ?? "finished";
  }

  /** Null where its ending is stored; otherwise how it was stopped. */
  private async run(id: string, folder: string): Promise<Stopped | null> {
    await mkdir(folder, { recursive: true });
    const job = await this.work.begin(id, folder);
    if (job === null) return null;
    const { ending, died } = await this.inProcess(id, job);
    if (this.cancelled.has(id)) return { kind: "cancelled" };
    if (ending === null) return { kind: "failed", message: died };
    await this.work.finish(id, ending, job);
    return null;
  }

  private async removeFolder(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true, ...WHILE_WRITTEN }).catch(console.error);
  }

  /** Nothing else can begin while this cannot be stored, and it is not over before it is: tried until it is. */
  private async storeStop(id: string, stopped: Stopped): Promise<void> {
    for (;;)
      try {
        return await this.work.stop(id, stopped);
      } catch (error) {
        console.error(`${this.work.noun} ${id}: its ending cannot be stored;`, error);
        await setTimeout(STORED_AGAIN_MS, undefined, { ref: false });
      }
  }

  /** What the process ended with; null where it died before it said anything. */
  private async inProcess(id: string, job: Job): Promise<{ ending: Ending | null; died: string }> {
    let ending: Ending | null = null;
    const { kill, ended } = forkProcess<Job, Told<Progress> | Ending>(this.work.script, job, (message) => {
      if (isTold(message)) this.progress.set(id, message.progress);
      else ending = message;
    });
    this.kill = kill;
    // Cancelled while the process was being made ready: it must not begin.
    if (this.cancelled.has(id)) kill();
    const { code, signal, error } = await ended;
    this.kill = null;
    this.progress.delete(id);
    return { ending, died: error ?? `the ${this.work.noun}'s process ended (${signal ?? `status ${code}`})` };
  }
}

function isTold<Progress>(message: Told<Progress> | { kind: string }): message is Told<Progress> {
  return message.kind === "progress";
}
