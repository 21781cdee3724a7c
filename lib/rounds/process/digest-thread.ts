/** Finds the SHA-256 of one file, in a thread of its own, so that the event loop has nothing to do with its bytes. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { DigestMessage } from "./digest-beside.ts";
import { ownThread, yieldCore } from "./thread-priority.ts";

/** Read at once, into memory that is used again: what is let go of gigabytes would have to be collected. */
const CHUNK_BYTES = 1024 * 1024;

function digestOf(path: string): string {
  const hash = createHash("sha256");
  const chunk = new Uint8Array(CHUNK_BYTES);
  const file = openSync(path, "r");
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      hash.update(chunk.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

const say = (message: DigestMessage) => parentPort!.postMessage(message);

yieldCore(ownThread());
try {
  say({ sha256: digestOf(workerData as string) });
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  // What the file system says is for whoever asked; anything else ends the thread with an error.
  if (code === undefined) throw error;
  say({ code, message });
}
