import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { readColumns, type StreamReading, wholeStream } from "../../ingest/canonical-stream.ts";
import { joinParts, readFront } from "../../ingest/piece-readers.ts";
import type { PackedPart, PartReader } from "../../ingest/stream-part.ts";
import { Pieces } from "../../ingest/stream-pieces.ts";
import { TextLineReader } from "../../ingest/text-line.ts";
import { HASH_SEED } from "../../ingest/text-packer.ts";
import { asFileProblem, FileProblem } from "../../store/file-problem.ts";
import { fileBytes, readAtOnce, readerOf, readFileAhead } from "../../store/read-file.ts";
import { threadEnd } from "../process/thread-end.ts";
import { projectRoot } from "../settings.ts";
import type { HashingThread } from "./hashing-beside.ts";
import { BESIDE_TO_BYTES } from "./recompute-beside.ts";

const THREAD = "lib/rounds/run/stream-thread.ts";

/** What the second reader is started with. */
export interface StreamJob {
  path: string;
  /** The file that the first one has opened: both read the same one, whatever the path leads to by then. */
  fd: number;
  bytes: number;
  /** Of `Pieces`, shared. */
  taken: Int32Array;
  seed: number;
}

/** What it says: parts of the stream from its end on, then how it ended. */
export type StreamMessage =
  | { kind: "part"; part: PackedPart }
  | { kind: "read"; sha256: string }
  | { kind: "unreadable"; file: string; message: string };

/** What the second reader has found; `parts` from the last on. */
interface BackReading {
  parts: PackedPart[];
  sha256: string;
}

/** The second reader at work. However it ends without having said that it has read its pieces, that is an error. */
class StreamThread {
  readonly found: Promise<BackReading>;
  hasFailed = false;
  private readonly worker: Worker;

  constructor(job: StreamJob) {
    this.worker = new Worker(join(/* turbopackIgnore: true */ projectRoot(), THREAD), { workerData: job });
    const parts: PackedPart[] = [];
    this.found = new Promise((resolve, reject) => {
      this.worker.on("message", (message: StreamMessage) => {
        if (message.kind === "part") parts.push(message.part);
        else if (message.kind === "read") resolve({ parts, sha256: message.sha256 });
        else reject(new FileProblem(message.file, message.message));
      });
      threadEnd(this.worker, "the stream's reader").catch(reject);
    });
    // It may fail before anybody waits for it; whoever does is told.
    this.found.catch(() => {
      this.hasFailed = true;
    });
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}

/** Reads pieces from the first on until there are none left, or the other thread has failed. */
async function readPieces(
  { path, fd, bytes, taken }: StreamJob,
  thread: StreamThread,
  onProgress: (bytes: number) => void,
): Promise<PartReader | null> {
  const pieces = new Pieces(bytes, taken);
  const front = readFront(pieces, readerOf(path, fd), () => new TextLineReader());
  while (!thread.hasFailed) {
    const { done, value } = front.next();
    onProgress(pieces.bytesTaken());
    if (done) return value;
    // Whoever has a word for this process is heard after each piece.
    await turn();
  }
  return null;
}

/** What both threads find together. */
async function readTogether(job: StreamJob, onProgress: (bytes: number) => void): Promise<StreamReading> {
  const thread = new StreamThread(job);
  try {
    const part = await readPieces(job, thread, onProgress);
    const { parts, sha256 } = await thread.found;
    joinParts(part!, parts);
    return wholeStream(part!, sha256, job.bytes);
  } finally {
    // Before the file is closed: its number must not become another one's.
    await thread.stop();
  }
}

/** Has an open file read by more than one, whose bytes must be the same for all: one that changes is a FileProblem. */
async function readUnchanged(
  path: string,
  read: (file: FileHandle, bytes: number) => Promise<StreamReading>,
): Promise<StreamReading> {
  const file = await open(path, "r").catch((error: unknown) => {
    throw asFileProblem(path, error);
  });
  try {
    const before = await file.stat({ bigint: true });
    const stream = await read(file, Number(before.size));
    const after = await file.stat({ bigint: true });
    if (after.size !== before.size || after.mtimeNs !== before.mtimeNs)
      throw new FileProblem(path, "was changed while it was read");
    return stream;
  } finally {
    await file.close();
  }
}

/**
 * Reads the canonical stream in a regular file (§1.3) by two threads: what they find is what `readColumns` finds. This
 * one reads pieces from the beginning, the other takes the digest and then reads from the end, until they meet. Errors
 * of the file system are FileProblems; so is a file that changes meanwhile: its digest would be that of other bytes.
 */
export async function readColumnsBeside(
  path: string,
  onProgress: (bytes: number) => void,
): Promise<StreamReading> {
  return readUnchanged(path, ({ fd }, bytes) => {
    const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    return readTogether({ path, fd, bytes, taken, seed: HASH_SEED }, onProgress);
  });
}

/** A file's chunks; whoever has a word for this process is heard after each. */
async function* heard(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (const chunk of readAtOnce(file)) {
    yield chunk;
    await turn();
  }
}

/** The same by one thread, while another finds the digest. */
export async function readColumnsHashed(
  path: string,
  hashing: HashingThread,
  onProgress: (bytes: number) => void = () => {},
): Promise<StreamReading> {
  return readUnchanged(path, async (file, totalBytes) => {
    const sha256 = hashing.fileSha256({ path, fd: file.fd }, totalBytes);
    // It may fail long before anybody waits for it; whoever does is told.
    sha256.catch(() => {});
    try {
      return await readColumns(heard(file), { onProgress, totalBytes, sha256 });
    } catch (error) {
      // Before the file is closed: its number must not become another one's.
      await hashing.stop();
      throw asFileProblem(path, error);
    }
  });
}

/** How a stream's file is read. */
export interface FileReading {
  /** Told how many bytes were read, of how many: 0 of a device or a pipe, which has no size. */
  onBytes?: (done: number, total: number) => void;
  /** Ends it. */
  signal?: AbortSignal;
  /** Finds the digest meanwhile, where there is one. */
  hashing?: HashingThread | null;
}

/**
 * Reads the canonical stream in a file (§1.3): a large one by two threads. Errors are FileProblems, but for the reason of
 * the signal that ends it.
 */
export async function readStreamFile(path: string, how: FileReading = {}): Promise<StreamReading> {
  const { onBytes = () => {}, signal, hashing = null } = how;
  const total = await fileBytes(path);
  const tell = (done: number): void => {
    signal?.throwIfAborted();
    onBytes(done, total);
  };
  if (total > BESIDE_TO_BYTES) return readColumnsBeside(path, tell);
  if (hashing !== null) return readColumnsHashed(path, hashing, tell);
  return readColumns(readFileAhead(path), { onProgress: tell, totalBytes: total });
}
