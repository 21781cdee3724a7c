import { createHash } from "node:crypto";
import {
  LINE_MAX_BYTES,
  type LineProblem,
  PROBLEMS_SHOWN,
  type RequestColumns,
} from "../../contract/request.ts";
import { ColumnBuilder, type RequestBytes } from "./column-builder.ts";
import { readExactLine } from "./exact-line.ts";
import { decodeLine, endOfLine, wholeLineBlocks } from "./physical-lines.ts";
import { PlainBytes } from "./plain-bytes.ts";
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
const REPEATED = { field: "req_id", reason: "was seen already; expected a unique req_id" };
/** Room beyond the requests that a stream of so many bytes is expected to have, by its first lines. */
const MARGIN = 1.05;

const encoder = new TextEncoder();

/** The names of a request that was read from a text, as bytes: the id, and the tenant behind it. */
function encoded({ reqId, tenant, arrivalMs, costMicro, isSoft }: PlainRequest): [Uint8Array, RequestBytes] {
  const idEnd = encoder.encode(reqId).length;
  const block = encoder.encode(reqId + tenant);
  return [
    block,
    { idStart: 0, idEnd, tenantStart: idEnd, tenantEnd: block.length, arrivalMs, costMicro, isSoft },
  ];
}

class StreamReader {
  readonly columns = new ColumnBuilder();
  problems: LineProblem[] = [];
  problemCount = 0;
  lines = 0;
  private readonly plainBytes = new PlainBytes();
  private readonly plain = new PlainLineReader();

  /** Reads whole physical lines: from their bytes where their form is the plainest, else from their texts. */
  readBlock(block: Uint8Array): void {
    for (let start = 0; start < block.length; ) {
      this.lines += 1;
      let end = this.plainBytes.read(block, start);
      if (end >= 0) {
        this.add(block, this.plainBytes);
      } else {
        end = endOfLine(block, start);
        if (end - start > LINE_MAX_BYTES) this.refuseLong();
        else this.readText(decodeLine(block.subarray(start, end)));
      }
      start = end + 1;
    }
  }

  /** A line that was passed over, for its length. */
  passLong(): void {
    this.lines += 1;
    this.refuseLong();
  }

  private readText(line: string | null): void {
    if (line === null) return this.refuse("", "is no UTF-8");
    const text = this.lines === 1 && line.startsWith(BOM) ? line.slice(1) : line;
    const request = this.plain.read(text);
    if (request !== null) return this.add(...encoded(request));
    if (EMPTY_LINE.test(text)) return;
    const exact = readExactLine(text);
    if (!exact.ok) return this.refuse(exact.field, exact.reason);
    this.add(...encoded(exact.request));
    this.plain.learn(exact.keys);
  }

  /** The valid requests; of those whose id an earlier one has, each line is a bad one. */
  finish(): RequestColumns {
    const { columns, repeatedLines } = this.columns.build();
    this.problemCount += repeatedLines.length;
    const repeated = repeatedLines.slice(0, PROBLEMS_SHOWN).map((line) => ({ line, ...REPEATED }));
    this.problems = [...this.problems, ...repeated].sort((a, b) => a.line - b.line).slice(0, PROBLEMS_SHOWN);
    return columns;
  }

  private add(block: Uint8Array, request: RequestBytes): void {
    this.columns.add(block, request, this.lines);
  }

  private refuseLong(): void {
    this.refuse("", `is longer than ${LINE_MAX_BYTES} bytes`);
  }

  private refuse(field: string, reason: string): void {
    this.problemCount += 1;
    if (this.problems.length < PROBLEMS_SHOWN) this.problems.push({ line: this.lines, field, reason });
  }
}

/**
 * Reads a canonical stream (§1.3) into columns; bad lines are listed, never dropped silently.
 * @param totalBytes how long the stream is, where that is known: then its memory is asked for at once
 */
export async function readColumns(
  chunks: AsyncIterable<Uint8Array>,
  onProgress: (bytes: number) => void = () => {},
  totalBytes = 0,
): Promise<StreamReading> {
  const hash = createHash("sha256");
  const reader = new StreamReader();
  let bytes = 0;
  const counted = async function* () {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
      if (bytes === chunk.length)
        reader.columns.expect(Math.ceil((reader.columns.count * totalBytes * MARGIN) / bytes));
      onProgress(bytes);
    }
  };
  for await (const block of wholeLineBlocks(counted())) {
    if (block === null) reader.passLong();
    else reader.readBlock(block);
  }
  const columns = reader.finish();
  return {
    columns,
    problems: reader.problems,
    problemCount: reader.problemCount,
    lines: reader.lines,
    sha256: hash.digest("hex"),
    bytes,
  };
}
