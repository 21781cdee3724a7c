import { createReadStream } from "node:fs";
import type { LogProgress } from "../../contract/gate-console.ts";
import { auditGate } from "../rounds/gates/audit-gate.ts";
import { dryRunGate } from "../rounds/gates/dry-run-gate.ts";
import type { LogSource } from "../rounds/gates/log-source.ts";
import { answerParent } from "../rounds/process/answer-parent.ts";
import type { LogFilePart, LogJob, LogMessage } from "./log-job.ts";

/** How often the console is told how far it is. */
const TOLD_MS = 200;

function say(message: LogMessage): void {
  process.send?.(message);
}

/** The files, as far as they are to be read; what is read is told. */
function sourcesOf(files: readonly LogFilePart[]): LogSource[] {
  const progress = { done: 0, total: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  let told_ms = 0;
  const read = (bytes: number): void => {
    // The head of each file is read twice.
    progress.done = Math.min(progress.done + bytes, progress.total);
    if (performance.now() - told_ms < TOLD_MS) return;
    told_ms = performance.now();
    say({ kind: "progress", progress: progress satisfies LogProgress });
  };
  return files.map(({ name, path, bytes }) => ({
    name,
    async *blocks() {
      if (bytes === 0) return;
      for await (const block of createReadStream(path, { end: bytes - 1 }) as AsyncIterable<Buffer>) {
        read(block.length);
        yield block;
      }
    },
  }));
}

async function work(job: LogJob): Promise<LogMessage> {
  const sources = sourcesOf(job.files);
  const { first } = job;
  const result =
    job.kind === "audit"
      ? await auditGate(sources, { first, isOpen: job.isOpen })
      : await dryRunGate(sources, job.config, { first });
  return { kind: "done", result };
}

answerParent(work);
