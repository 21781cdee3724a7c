import { join } from "node:path";
import { Worker } from "node:worker_threads";
import {
  openResult,
  type PackedResult,
  type Recomputation,
  type ReferenceResult,
  recompute,
} from "../../reference/recompute.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { fileBytes, readFileAhead } from "../../store/read-file.ts";
import { threadEnd } from "../process/thread-end.ts";
import { claimCore } from "../process/thread-priority.ts";
import { projectRoot } from "../settings.ts";
import { nodeSha256 } from "../sha256.ts";

const THREAD = "lib/rounds/run/reference-thread.ts";

/** What the reference's thread is started with: plain data. */
export interface ReferenceJob extends Pick<Recomputation, "contract" | "policy" | "reading"> {
  trace: boolean;
  /** Path of the stream. */
  input: string;
}

/** The same for the thread itself: whether the engine is still at work, who goes first, or both cores are the thread's. */
export interface ThreadJob extends ReferenceJob {
  isBeside: boolean;
}

/** What the thread says: which one lets the engine go first, how many requests it has read or decided, then how it ended. */
export type ReferenceMessage =
  | { kind: "patient"; thread: number | null }
  | { kind: "progress"; done: number }
  | { kind: "found"; result: PackedResult }
  | { kind: "unreadable"; file: string; message: string };

/** When the reference recomputes a round: in a thread beside the engine, in a thread after it, or in no thread of its own. */
export type Recomputing = "beside" | "after" | "here";

/** A thread takes a twentieth of a second to start: a smaller stream is recomputed sooner without one. */
const THREAD_FROM_BYTES = 8 * 1024 * 1024;
/**
 * Engine and reference at once take about 200 bytes of memory a request: of a larger stream one waits for the other, and
 * each has both cores.
 */
export const BESIDE_TO_BYTES = 512 * 1024 * 1024;

async function bySize(path: string): Promise<Recomputing> {
  // What cannot be read is told by whoever reads it.
  const bytes = await fileBytes(path).catch(() => 0);
  if (bytes < THREAD_FROM_BYTES) return "here";
  return bytes <= BESIDE_TO_BYTES ? "beside" : "after";
}

/**
 * A thread at work. One that ends without having said what it found, however it ends, is an error of `found`: no round
 * goes on without its recomputation.
 */
class ReferenceThread {
  readonly found: Promise<ReferenceResult>;
  onProgress: (done: number) => void = () => {};
  private readonly counting = halfways();
  private readonly worker: Worker;
  private patient: number | null = null;
  private isAwaited = false;

  constructor(job: ThreadJob) {
    this.worker = new Worker(join(/* turbopackIgnore: true */ projectRoot(), THREAD), { workerData: job });
    this.found = new Promise((resolve, reject) => {
      this.worker.on("message", (message: ReferenceMessage) => {
        if (message.kind === "patient") this.becomePatient(message.thread);
        else if (message.kind === "found") resolve(openResult(message.result));
        else if (message.kind === "unreadable") reject(new FileProblem(message.file, message.message));
        else this.onProgress(this.counting(message.done));
      });
      threadEnd(this.worker, "the reference's thread").catch(reject);
    });
    // It may fail long before anybody waits for it; whoever does is told.
    this.found.catch(() => {});
  }

  /** There is nothing left that it would let go first. */
  hurry(): void {
    this.isAwaited = true;
    claimCore(this.patient);
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }

  private becomePatient(thread: number | null): void {
    this.patient = thread;
    if (this.isAwaited) claimCore(thread);
  }
}

/**
 * What is told of two ways through the same requests, as one: the reference reads all, then decides all, and tells of each
 * from the beginning.
 */
export function halfways(): (done: number) => number {
  let [before, last] = [0, 0];
  return (done) => {
    if (done < last) before += last;
    last = done;
    return Math.floor((before + done) / 2);
  };
}

/** A recomputation that may be under way. */
export interface RoundRecomputation {
  /**
   * What the reference finds; begins now where it has not begun. `onProgress` is told how many requests are done, of which
   * half is reading and half deciding. Rejects with a FileProblem where the stream cannot be read.
   */
  result(onProgress: (done: number) => void): Promise<ReferenceResult>;
  /** Ends it, whatever it does. */
  stop(): Promise<void>;
}

/** Recomputes a round by the reference (§5.1), beside the engine where that is to be. */
export async function recomputation(job: ReferenceJob, when?: Recomputing): Promise<RoundRecomputation> {
  const recomputing = when ?? (await bySize(job.input));
  let thread = recomputing === "beside" ? new ReferenceThread({ ...job, isBeside: true }) : null;
  return {
    result(onProgress) {
      if (recomputing === "here") {
        const counting = halfways();
        const onDone = (done: number) => onProgress(counting(done));
        return recompute({
          ...job,
          stream: readFileAhead(job.input),
          sha256: nodeSha256,
          onProgress: onDone,
        });
      }
      // What begins after the engine has the engine's core as well.
      thread ??= new ReferenceThread({ ...job, isBeside: false });
      thread.hurry();
      thread.onProgress = onProgress;
      return thread.found;
    },
    stop: async () => await thread?.stop(),
  };
}
