/** The engine's second reader of a stream, in a thread of its own: the digest of all of it, then pieces from its end. */
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { memoryOf } from "../../ingest/column-builder.ts";
import { readBack } from "../../ingest/piece-readers.ts";
import { PIECE_BYTES, Pieces } from "../../ingest/stream-pieces.ts";
import type { TextLineReader } from "../../ingest/text-line.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { readerOf } from "../../store/read-file.ts";
import type { StreamJob, StreamMessage } from "./read-stream-file.ts";

const { path, fd, bytes, taken, seed } = workerData as StreamJob;
const say = (message: StreamMessage, given: ArrayBuffer[] = []): void =>
  parentPort!.postMessage(message, given);
const readAt = readerOf(path, fd);

/** Loaded only where it is needed: it brings the schemas, which take longer to load than a thread to start. */
let texts: TextLineReader | undefined;
function textReader(): TextLineReader {
  const load = createRequire(import.meta.url);
  const { TextLineReader } = load("../../ingest/text-line.ts") as typeof import("../../ingest/text-line.ts");
  texts ??= new TextLineReader();
  return texts;
}

function digest(): string {
  const hash = createHash("sha256");
  const chunk = new Uint8Array(PIECE_BYTES);
  for (let at = 0, read = -1; at < bytes && read !== 0; at += read) {
    read = readAt(chunk.subarray(0, Math.min(PIECE_BYTES, bytes - at)), at);
    hash.update(chunk.subarray(0, read));
  }
  return hash.digest("hex");
}

try {
  const sha256 = digest();
  for (const part of readBack(new Pieces(bytes, taken), readAt, textReader, seed))
    say({ kind: "part", part }, memoryOf(part.columns));
  say({ kind: "read", sha256 });
} catch (error) {
  // Anything else ends the thread with an error, and with it the round.
  if (!(error instanceof FileProblem)) throw error;
  say({ kind: "unreadable", file: error.file, message: error.message });
}
