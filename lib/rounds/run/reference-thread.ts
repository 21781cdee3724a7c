/** The reference in a thread of its own (§5.1): it needs the documents and the file, and nothing of the engine. */
import { parentPort, workerData } from "node:worker_threads";
import { memoryOf } from "../../reference/packed-round.ts";
import { recomputePacked } from "../../reference/recompute.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { readFileAtOnce } from "../../store/read-file.ts";
import { ownThread, yieldCore } from "../process/thread-priority.ts";
import { nodeSha256 } from "../sha256.ts";
import type { ReferenceMessage, ThreadJob } from "./recompute-beside.ts";
import { AssistantThread } from "./reference-assistant.ts";

const say = (message: ReferenceMessage, given: ArrayBuffer[] = []): void =>
  parentPort!.postMessage(message, given);

const { input, isBeside, ...job } = workerData as ThreadJob;
const assistant = isBeside ? null : new AssistantThread();
if (isBeside) {
  // The report is waited for: it takes no longer because of what is found meanwhile.
  const thread = ownThread();
  if (yieldCore(thread)) say({ kind: "patient", thread });
}
try {
  const result = await recomputePacked({
    ...job,
    ...(assistant !== null && { assistant }),
    stream: readFileAtOnce(input),
    sha256: nodeSha256,
    onProgress: (done) => say({ kind: "progress", done }),
  });
  say({ kind: "found", result }, result.ok ? memoryOf(result.round) : []);
} catch (error) {
  // Anything else ends the thread with an error, and with it the round.
  if (!(error instanceof FileProblem)) throw error;
  say({ kind: "unreadable", file: error.file, message: error.message });
} finally {
  await assistant?.stop();
}
