import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { HashedText } from "../../engine/write-report.ts";
import type { OpenFile } from "../../store/atomic-file.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { fileBytes } from "../../store/read-file.ts";
import { threadEnd } from "../process/thread-end.ts";
import { projectRoot } from "../settings.ts";

const THREAD = "lib/rounds/run/hashing-thread.ts";
/** A thread takes a twentieth of a second to start: a smaller stream and its report are hashed sooner without one. */
const HASHED_FROM_BYTES = 8 * 1024 * 1024;

/** What the thread is asked for. Files are open in the other thread, and stay so until the answer. */
export type HashingOrder =
  /** The digest of a file's first bytes. */
  | { kind: "file"; file: OpenFile; bytes: number }
  /** To hash a file that is being written, up to what is in it by now. */
  | { kind: "written"; file: OpenFile; bytes: number }
  /** The digest of that, with something behind it that is not in the file. */
  | { kind: "end"; end: string };

export type HashingAnswer =
  | { kind: "digest"; sha256: string }
  | { kind: "unreadable"; file: string; message: string };

/** A thread that hashes a file which this one reads, then one that this one writes. However it ends, that is an error. */
export class HashingThread {
  private readonly worker: Worker;
  private readonly ended: Promise<never>;

  constructor() {
    this.worker = new Worker(join(/* turbopackIgnore: true */ projectRoot(), THREAD));
    this.ended = threadEnd(this.worker, "the thread that hashes");
  }

  /** SHA-256 of the first bytes of an open file, 64 hex digits. Rejects with a FileProblem where they are not there. */
  fileSha256(file: OpenFile, bytes: number): Promise<string> {
    return this.ask({ kind: "file", file, bytes });
  }

  /** Follows a file that is about to be written. */
  follow(file: OpenFile): HashedText {
    return {
      wrote: (bytes) => this.order({ kind: "written", file, bytes }),
      sha256: (end) => this.ask({ kind: "end", end }),
      abandon: () => this.stop(),
    };
  }

  /** Resolves when it reads no more: then files may be closed. */
  async stop(): Promise<void> {
    await this.worker.terminate();
  }

  private order(order: HashingOrder): void {
    this.worker.postMessage(order);
  }

  private ask(order: HashingOrder): Promise<string> {
    const answer = new Promise<string>((resolve, reject) => {
      this.worker.once("message", (told: HashingAnswer) => {
        if (told.kind === "digest") resolve(told.sha256);
        else reject(new FileProblem(told.file, told.message));
      });
    });
    this.order(order);
    return Promise.race([answer, this.ended]);
  }
}

/** A thread to hash a large stream and its report; null of a small one. */
export async function hashingBeside(streamPath: string): Promise<HashingThread | null> {
  // What cannot be read is told by whoever reads it.
  const bytes = await fileBytes(streamPath).catch(() => 0);
  return bytes < HASHED_FROM_BYTES ? null : new HashingThread();
}
