import type { StartingPointResult } from "../../../contract/starting-point.ts";
import { ArchiveProblem } from "../../ingest/log/archive.ts";
import { readMapping } from "../../ingest/log/request-mapper.ts";
import { sampleLog } from "../../ingest/log/sample-log.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { readInputFile } from "../../store/read-file.ts";
import { answerParent } from "../process/answer-parent.ts";
import type { ProposeJob } from "./propose-policy.ts";
import { startingPoint } from "./starting-point.ts";

/** Requests that are looked at: enough to see bursts, and done in seconds. */
const MOST_REQUESTS = 500_000;

async function work({ log, mapping, preset }: ProposeJob): Promise<StartingPointResult> {
  const read = mapping === null ? null : readMapping(mapping);
  if (read !== null && !read.ok) return { ok: false, reason: read.problems[0]?.message ?? "has no mapping" };
  try {
    const sample = await sampleLog(() => readInputFile(log), read?.value ?? null, MOST_REQUESTS);
    if (sample.columns.count === 0) return { ok: false, reason: "holds no request to propose anything from" };
    return { ok: true, start: startingPoint(sample, preset) };
  } catch (error) {
    if (error instanceof ArchiveProblem || error instanceof FileProblem)
      return { ok: false, reason: error.message };
    throw error;
  }
}

answerParent(work);
