import type { SkippedLines } from "../../contract/request.ts";
import { joinParts, type ReadLines } from "./join-parts.ts";
import { lineBlocks } from "./line-blocks.ts";
import { repeatedIds } from "./repeated-ids.ts";
import type { RowTable } from "./row-table.ts";
import { PartReader, PROBLEMS_TOLD, type StreamPart } from "./stream-part.ts";

const PROGRESS_ROWS = 65_536;

/** What a stream holds: its valid requests in the order of their lines, and what was left out. */
export interface StreamRows {
  rows: RowTable;
  skipped: SkippedLines;
}

/** Somebody who reads some of a stream's blocks meanwhile. */
export interface BlockReader {
  /** Takes a block of whole lines, the one of this number, as it is now; or is busy and leaves it. */
  offer(block: Uint8Array, number: number): boolean;
  /** Valid requests read so far. */
  readonly count: number;
  /** What it read, once it has read all that it took. */
  part(): Promise<StreamPart>;
}

/** The rows whose ids are new; the lines of the others are bad. The id of a bad line does not count as seen (§1.3). */
function withoutRepeated({ rows, problems, problemCount }: ReadLines): StreamRows {
  const repeated = repeatedIds(rows);
  const again = repeated
    .slice(0, PROBLEMS_TOLD)
    .map((row) => ({ line: rows.line[row]!, field: "req_id", reason: "was seen already" }));
  const lines = [...problems, ...again].sort((a, b) => a.line - b.line).slice(0, PROBLEMS_TOLD);
  return {
    rows: repeated.length === 0 ? rows : rows.without(repeated),
    skipped: { count: problemCount + repeated.length, lines },
  };
}

/**
 * Reads the canonical stream (§1.3). `onProgress` is told the number of valid requests every now and then. Where another
 * reader is there it is given what it has time for, and the rest is read here: the rows are the same whoever read them.
 */
export async function readRows(
  stream: AsyncIterable<Uint8Array>,
  onProgress: (rows: number) => void,
  other?: BlockReader,
): Promise<StreamRows> {
  const own = new PartReader();
  let number = 0;
  let told = 0;
  for await (const block of lineBlocks(stream)) {
    if (block === null || other?.offer(block, number) !== true) own.take(block, number);
    number += 1;
    const count = own.count + (other?.count ?? 0);
    if (count - told < PROGRESS_ROWS) continue;
    told = count;
    onProgress(told);
  }
  const parts = [own.part()];
  if (other !== undefined) parts.push(await other.part());
  return withoutRepeated(joinParts(parts));
}
