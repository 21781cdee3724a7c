import { LINE_MAX_BYTES, PROBLEMS_SHOWN } from "../../contract/limits.ts";
import type { LineProblem } from "../../contract/request.ts";
import { ColumnBuilder, memoryOf, type PackedColumns, type RequestBytes } from "./column-builder.ts";
import { decodeLine, endOfLine } from "./physical-lines.ts";
import { PlainBytes } from "./plain-bytes.ts";
import type { PlainRequest } from "./plain-line.ts";
import type { TextLineReader } from "./text-line.ts";

const BOM = "\uFEFF";
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

/** What a part of a stream holds, as plain data. Lines count from the part's own first one. */
export interface PackedPart {
  columns: PackedColumns;
  problems: LineProblem[];
  problemCount: number;
  lines: number;
}

/** Reads a part of a stream: some of its physical lines, in order. Ids that come again are not looked for. */
export class PartReader {
  readonly columns: ColumnBuilder;
  /** The first hundred bad lines (§1.3). */
  readonly problems: LineProblem[] = [];
  problemCount = 0;
  lines = 0;
  private readonly isFirst: boolean;
  private readonly plainBytes = new PlainBytes();
  private readonly textReader: () => TextLineReader;
  private texts: TextLineReader | null = null;

  /**
   * @param isFirst whether the stream begins with it
   * @param textReader makes the reader of lines that must be judged by their text; most streams have none
   * @param seed of the hashes of ids, where another thread's parts go behind this one
   */
  constructor(isFirst: boolean, textReader: () => TextLineReader, seed?: number) {
    this.isFirst = isFirst;
    this.textReader = textReader;
    this.columns = new ColumnBuilder(seed);
  }

  /** Makes room for the requests of a stream of so many bytes, of which the part holds the first. */
  expectRest(bytes: number, totalBytes: number): void {
    this.columns.expect(Math.ceil((this.columns.count * totalBytes * MARGIN) / bytes));
  }

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

  pack(): PackedPart {
    const { problems, problemCount, lines } = this;
    return { columns: this.columns.pack(), problems, problemCount, lines };
  }

  /** Takes what the lines behind these hold, and leaves nothing of it: its memory is free at once. */
  take({ columns, problems, problemCount, lines }: PackedPart): void {
    this.columns.append(columns, this.lines);
    for (const memory of memoryOf(columns)) memory.transfer(0);
    for (const { line, ...problem } of problems.slice(0, PROBLEMS_SHOWN - this.problems.length))
      this.problems.push({ line: this.lines + line, ...problem });
    this.problemCount += problemCount;
    this.lines += lines;
  }

  private readText(line: string | null): void {
    if (line === null) return this.refuse("", "is no UTF-8");
    const text = this.isFirst && this.lines === 1 && line.startsWith(BOM) ? line.slice(1) : line;
    this.texts ??= this.textReader();
    const found = this.texts.read(text);
    if (found?.ok) this.add(...encoded(found.request));
    else if (found !== null) this.refuse(found.field, found.reason);
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
