import { createHash } from "node:crypto";
import { type LineProblem, PROBLEMS_SHOWN, type RequestColumns } from "../../contract/request.ts";
import { ColumnBuilder } from "./column-builder.ts";
import { readExactLine } from "./exact-line.ts";
import { linesOfBlock, wholeLineBlocks } from "./physical-lines.ts";
import { PlainLineReader, type PlainRequest } from "./plain-line.ts";

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

/** Only spaces, tabs and CR: no line at all (§1.3). */
const EMPTY_LINE = /^[ \t\r]*$/;
const BOM = "\uFEFF";

class StreamReader {
  readonly columns = new ColumnBuilder();
  readonly problems: LineProblem[] = [];
  problemCount = 0;
  lines = 0;
  private readonly plain = new PlainLineReader();

  read(line: string | null): void {
    this.lines += 1;
    if (line === null) return this.refuse("", "is no UTF-8");
    const text = this.lines === 1 && line.startsWith(BOM) ? line.slice(1) : line;
    const request = this.plain.read(text);
    if (request !== null) return this.add(request);
    if (EMPTY_LINE.test(text)) return;
    const exact = readExactLine(text);
    if (!exact.ok) return this.refuse(exact.field, exact.reason);
    this.add(exact.request);
    this.plain.learn(exact.keys);
  }

  private add({ reqId, tenant, arrivalMs, costMicro, isSoft }: PlainRequest): void {
    if (this.columns.has(reqId)) return this.refuse("req_id", "was seen already; expected a unique req_id");
    this.columns.add(reqId, tenant, arrivalMs, costMicro, isSoft);
  }

  private refuse(field: string, reason: string): void {
    this.problemCount += 1;
    if (this.problems.length < PROBLEMS_SHOWN) this.problems.push({ line: this.lines, field, reason });
  }
}

/** Reads a canonical stream (§1.3) into columns; bad lines are listed, never dropped silently. */
export async function readColumns(
  chunks: AsyncIterable<Uint8Array>,
  onProgress: (bytes: number) => void = () => {},
): Promise<StreamReading> {
  const hash = createHash("sha256");
  const reader = new StreamReader();
  let bytes = 0;
  for await (const block of wholeLineBlocks(chunks)) {
    hash.update(block);
    bytes += block.length;
    for (const line of linesOfBlock(block)) reader.read(line);
    onProgress(bytes);
  }
  return {
    columns: reader.columns.build(),
    problems: reader.problems,
    problemCount: reader.problemCount,
    lines: reader.lines,
    sha256: hash.digest("hex"),
    bytes,
  };
}
