import type { ImportSummary } from "../../../contract/mapping.ts";
import type { SkippedLines } from "../../../contract/request.ts";
import type { RoundImport } from "../../../contract/round-view.ts";
import { ArchiveProblem, packingOf } from "../../ingest/log/archive.ts";
import type { Store } from "../../store/open-store.ts";
import { readInputFile } from "../../store/read-file.ts";
import type { NewRound, RoundRow } from "../../store/schema.ts";
import { storedJson } from "../round-list-item.ts";
import type { RoundAccess } from "./shared-round.ts";

/** Whether a stored stream is an archive; what cannot be unpacked is found so by the round's import. */
async function isPacked(path: string): Promise<boolean> {
  for await (const chunk of readInputFile(path)) {
    try {
      return packingOf(chunk) !== "none";
    } catch (error) {
      if (error instanceof ArchiveProblem) return true;
      throw error;
    }
  }
  return false;
}

/** The columns of a round whose stream is to be made from what was stored: a log, or a packed canonical stream. */
export async function logColumns(
  { artifacts }: Store,
  { sha256, bytes }: { sha256: string; bytes: number },
  mapping: unknown,
): Promise<Pick<NewRound, "raw_sha256" | "raw_bytes" | "mapping">> {
  if (mapping === null && !(await isPacked(artifacts.path(sha256)))) return {};
  return {
    raw_sha256: sha256,
    raw_bytes: bytes,
    mapping: mapping === null ? null : JSON.stringify(mapping),
  };
}

/** What is stored as a round's stream where that is still the log that it is to be made from; null where it is the stream. */
export function logToImport(
  { artifacts }: Store,
  {
    stream_sha256,
    raw_sha256 = null,
    mapping = null,
  }: Pick<NewRound, "stream_sha256" | "raw_sha256" | "mapping">,
): { path: string; mapping: string | null } | null {
  return raw_sha256 === stream_sha256 ? { path: artifacts.path(raw_sha256), mapping } : null;
}

/** The log behind a round's stream; lines of it are part of the stream, and withheld with it. */
export function roundImport(row: RoundRow, { raw }: RoundAccess): RoundImport | null {
  if (row.raw_sha256 === null) return null;
  const summary = storedJson<ImportSummary>(row.import);
  return {
    sha256: row.raw_sha256,
    bytes: row.raw_bytes ?? 0,
    mapping: row.mapping,
    summary: summary === null || raw ? summary : { ...summary, problems: [] },
  };
}

/**
 * Lines that were left out of a round, with the import's own reason where a log's line was no request: to whoever reads
 * the stream such a line is only no object. Unchanged where an access withholds what the import found.
 */
export function skippedLines(skipped: SkippedLines, log: RoundImport | null): SkippedLines {
  const problems = new Map(log?.summary?.problems.map((problem) => [problem.line, problem]));
  const lines = skipped.lines.map((told) => {
    const problem = problems.get(told.line);
    return problem === undefined ? told : { line: told.line, field: problem.field, reason: problem.reason };
  });
  return { ...skipped, lines };
}

/** What a round's stream is called as a file: one made from a log is no log any more. */
export const streamFileName = ({ stream_name, import: imported, mapping }: RoundRow): string =>
  imported === null || mapping === null ? stream_name : `${stream_name}.requests.jsonl`;
