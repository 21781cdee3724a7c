import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { fileDigest } from "../../store/artifacts.ts";
import { projectRoot } from "../settings.ts";
import { threadEnd } from "./thread-end.ts";

const THREAD = "lib/rounds/process/digest-thread.ts";
/** A thread takes a twentieth of a second to start: of a smaller file the digest is found sooner without one. */
const THREAD_FROM_BYTES = 16 * 1024 * 1024;

/** What the thread says: the digest, or what the file system said. */
export type DigestMessage = { sha256: string } | { code: string; message: string };

/** Files whose turn has not come: disks and cores are no faster for many at once. */
const waiting: { bytes: number; begin: () => void }[] = [];
let isBusy = false;

/**
 * SHA-256 of a file's content, 64 hex digits; of a large one in a thread of its own, one file after the other and the
 * smallest that waits first, while the event loop goes on. Rejects with the file system's error where it cannot be read.
 */
export async function digestBeside(path: string, fromBytes = THREAD_FROM_BYTES): Promise<string> {
  const { size: bytes } = await stat(path);
  if (bytes < fromBytes) return fileDigest(path);
  if (isBusy) await new Promise<void>((begin) => waiting.push({ bytes, begin }));
  isBusy = true;
  try {
    return await digestInThread(path);
  } finally {
    passTurn();
  }
}

function passTurn(): void {
  const next = waiting.toSorted((one, other) => one.bytes - other.bytes)[0];
  // Whoever is next takes the turn over: nobody may come between.
  if (next === undefined) isBusy = false;
  else {
    waiting.splice(waiting.indexOf(next), 1);
    next.begin();
  }
}

async function digestInThread(path: string): Promise<string> {
  const worker = new Worker(join(/* turbopackIgnore: true */ projectRoot(), THREAD), { workerData: path });
  const said = new Promise<DigestMessage>((resolve) => worker.once("message", resolve));
  const message = await Promise.race([said, threadEnd(worker, "the thread that finds a digest")]);
  if ("sha256" in message) return message.sha256;
  throw Object.assign(new Error(message.message), { code: message.code });
}
