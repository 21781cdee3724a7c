/** Hashes files in a thread of its own: one that is there, or one that is written meanwhile. */
import { createHash, type Hash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import type { OpenFile } from "../../store/atomic-file.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { readerOf } from "../../store/read-file.ts";
import type { HashingAnswer, HashingOrder } from "./hashing-beside.ts";

const chunk = new Uint8Array(1024 * 1024);

/** A text that is being written: how far it is hashed, and what came in the way of that. */
interface Followed {
  hash: Hash;
  bytes: number;
  problem: FileProblem | null;
}
const begun = (): Followed => ({ hash: createHash("sha256"), bytes: 0, problem: null });

/** Hashes a file's next bytes, up to a place; that they are not there is a FileProblem, which is kept. */
function hashTo(text: Followed, { path, fd }: OpenFile, to: number): void {
  if (text.problem !== null) return;
  try {
    const readAt = readerOf(path, fd);
    while (text.bytes < to) {
      const read = readAt(chunk.subarray(0, Math.min(chunk.length, to - text.bytes)), text.bytes);
      if (read === 0) throw new FileProblem(path, "was changed while it was read");
      text.hash.update(chunk.subarray(0, read));
      text.bytes += read;
    }
  } catch (error) {
    // Anything else ends the thread with an error, and with it the round.
    if (!(error instanceof FileProblem)) throw error;
    text.problem = error;
  }
}

function answer({ hash, problem }: Followed): void {
  const told: HashingAnswer =
    problem === null
      ? { kind: "digest", sha256: hash.digest("hex") }
      : { kind: "unreadable", file: problem.file, message: problem.message };
  parentPort!.postMessage(told);
}

let followed = begun();
parentPort!.on("message", (order: HashingOrder) => {
  if (order.kind === "file") {
    const text = begun();
    hashTo(text, order.file, order.bytes);
    answer(text);
  } else if (order.kind === "written") {
    hashTo(followed, order.file, order.bytes);
  } else {
    followed.hash.update(order.end);
    answer(followed);
    followed = begun();
  }
});
