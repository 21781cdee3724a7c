import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { ImportSummary, Mapping } from "../../../contract/mapping.ts";
import type { Reading } from "../../../contract/request.ts";
import type { PhaseProgress, RoundProblem } from "../../../contract/round-view.ts";
import { ArchiveProblem } from "../../ingest/log/archive.ts";
import { importLog } from "../../ingest/log/import-log.ts";
import { readMapping } from "../../ingest/log/request-mapper.ts";
import { unpackStream } from "../../ingest/log/unpack-stream.ts";
import { makeDirectory, writeFileAtomic } from "../../store/atomic-file.ts";
import { asFileProblem, FileProblem } from "../../store/file-problem.ts";
import { readInputFile } from "../../store/read-file.ts";
import { SpoolFile } from "../../store/spool-file.ts";
import { streamRefused, streamUnavailable } from "../round-problem.ts";

export interface ImportJob {
  /** The log. */
  log: string;
  /** Where the canonical stream is written, whole or not at all. */
  out: string;
  /** Null: the log is the canonical stream, packed. */
  mapping: Mapping | null;
  reading: Reading;
  /** Bytes of the log read so far. */
  onProgress?: (bytes: number) => void;
}

export type ImportResult =
  | { ok: true; summary: ImportSummary }
  | { ok: false; problem: RoundProblem; summary: ImportSummary | null };

/** Makes the folder that a stream is written to; what cannot be is told of the stream, not of what lies beside it. */
async function folderOf(out: string): Promise<void> {
  try {
    await makeDirectory(dirname(out));
  } catch (error) {
    throw asFileProblem(out, error);
  }
}

/** The lines of a log as a stream; strict reading refuses one with problems, and nothing is written (§1.3). */
async function convert(job: ImportJob, mapping: Mapping): Promise<ImportResult> {
  await folderOf(job.out);
  const spool = new SpoolFile(dirname(job.out));
  try {
    const { summary, stream } = await importLog(() => readInputFile(job.log), mapping, spool, job.onProgress);
    if (job.reading === "strict" && summary.problem_count > 0) return refusal(job, summary);
    await writeFileAtomic(job.out, stream);
    return { ok: true, summary };
  } finally {
    await spool.close();
  }
}

class Refused extends Error {}

/** A canonical stream as it is, without its packing. */
async function unpack(job: ImportJob): Promise<ImportResult> {
  const { bytes, summary } = await unpackStream(() => readInputFile(job.log), job.onProgress);
  const judged = async function* () {
    yield* bytes;
    // Thrown before the file has its name: a refused stream is not written.
    if (job.reading === "strict" && summary().problem_count > 0) throw new Refused();
  };
  try {
    await writeFileAtomic(job.out, judged());
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refusal(job, summary());
  }
  return { ok: true, summary: summary() };
}

function refusal(job: ImportJob, summary: ImportSummary): ImportResult {
  const lines = summary.problems.map(({ line, field, reason }) => ({ line, field, reason }));
  const refused = streamRefused(job.log, lines, summary.problem_count);
  const problem = summary.spread === undefined ? refused : { ...refused, spread: summary.spread };
  return { ok: false, problem, summary };
}

/** Makes the canonical stream of a log. A log that cannot be read or unpacked is a problem of status 2 (§5.4). */
export async function importStream(job: ImportJob): Promise<ImportResult> {
  try {
    return job.mapping === null ? await unpack(job) : await convert(job, job.mapping);
  } catch (error) {
    if (error instanceof ArchiveProblem)
      return { ok: false, problem: streamUnavailable(job.log, error.message), summary: null };
    if (!(error instanceof FileProblem)) throw error;
    return { ok: false, problem: streamUnavailable(error.file, error.message), summary: null };
  }
}

/** The import of a stored round: its mapping was judged when it was submitted. */
export async function importForRound(
  { path, mapping }: { path: string; mapping: string | null },
  out: string,
  reading: Reading,
  report: (progress: PhaseProgress) => void,
): Promise<ImportResult> {
  const read = mapping === null ? null : readMapping(JSON.parse(mapping));
  if (read !== null && !read.ok) throw new Error(`the stored mapping is none: ${read.problems[0]?.message}`);
  const total = (await stat(path)).size;
  const onProgress = (done: number) => report({ phase: "import", done, total, unit: "bytes" });
  onProgress(0);
  return importStream({ log: path, out, mapping: read?.value ?? null, reading, onProgress });
}
