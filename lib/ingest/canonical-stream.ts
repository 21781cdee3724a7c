import { createHash } from "node:crypto";
import { PROBLEMS_SHOWN } from "../../contract/limits.ts";
import type { LineProblem, RequestColumns } from "../../contract/request.ts";
import { wholeLineBlocks } from "./physical-lines.ts";
import { PartReader } from "./stream-part.ts";
import { TextLineReader } from "./text-line.ts";

/** A canonical stream, read whole. */
export interface StreamReading {
  columns: RequestColumns;
  /** The first hundred bad lines (§1.3). */
  problems: LineProblem[];
  problemCount: number;
  /** Physical lines. */
  lines: number;
  /** Of the stream's bytes, 64 hex digits. */
  sha256: string;
  bytes: number;
}

const REPEATED = { field: "req_id", reason: "was seen already; expected a unique req_id" };

/** What a stream holds, by a part that is all of it; of the requests whose id an earlier one has, each line is a bad one. */
export function wholeStream(part: PartReader, sha256: string, bytes: number): StreamReading {
  const { columns, repeatedLines } = part.columns.build();
  const repeated = repeatedLines.slice(0, PROBLEMS_SHOWN).map((line) => ({ line, ...REPEATED }));
  const problems = [...part.problems, ...repeated].sort((a, b) => a.line - b.line).slice(0, PROBLEMS_SHOWN);
  const problemCount = part.problemCount + repeatedLines.length;
  return { columns, problems, problemCount, lines: part.lines, sha256, bytes };
}

/** How a stream is read. */
export interface StreamOptions {
  /** Told how many bytes were read. */
  onProgress?: (bytes: number) => void;
  /** How long the stream is, where that is known: then its memory is asked for at once. */
  totalBytes?: number;
  /** The digest of its bytes, where somebody else finds it; absent: it is found here. */
  sha256?: Promise<string>;
}

/** Reads a canonical stream (§1.3) into columns; bad lines are listed, never dropped silently. */
export async function readColumns(
  chunks: AsyncIterable<Uint8Array>,
  { onProgress = () => {}, totalBytes = 0, sha256 }: StreamOptions = {},
): Promise<StreamReading> {
  const hash = sha256 === undefined ? createHash("sha256") : null;
  const part = new PartReader(true, () => new TextLineReader());
  let bytes = 0;
  const counted = async function* () {
    for await (const chunk of chunks) {
      hash?.update(chunk);
      bytes += chunk.length;
      yield chunk;
      if (bytes === chunk.length) part.expectRest(bytes, totalBytes);
      onProgress(bytes);
    }
  };
  for await (const block of wholeLineBlocks(counted())) {
    if (block === null) part.passLong();
    else part.readBlock(block);
  }
  return wholeStream(part, hash?.digest("hex") ?? (await sha256!), bytes);
}
