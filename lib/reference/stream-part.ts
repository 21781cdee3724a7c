import type { LineProblem } from "../../contract/request.ts";
import { JsonFault } from "./json-line.ts";
import { LONGEST_LINE_BYTES } from "./line-blocks.ts";
import { QuickLine } from "./quick-line.ts";
import { type RequestRow, readRequest } from "./request-line.ts";
import { type FoundRow, RowTable, type TableColumns } from "./row-table.ts";

/** Bad lines that are told one by one (§1.3). */
export const PROBLEMS_TOLD = 100;
/** A field's name in a problem is cut here: a line may hold a key of megabytes. */
const LONGEST_FIELD = 256;
const BYTE_ORDER_MARK = "\uFEFF";
const FEED = 0x0a;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The text of bytes, or null where they are no UTF-8. */
function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Only spaces, tabs and CR: no line at all (§1.3). */
function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x09 && unit !== 0x0d) return false;
  }
  return true;
}

/** A request that was read from its text, as a table takes it. */
function foundRow({ req_id, tenant, arrival_ms, cost, soft }: RequestRow): FoundRow {
  const id_end = encoder.encode(req_id).length;
  const bytes = encoder.encode(req_id + tenant);
  return {
    bytes,
    id_start: 0,
    id_end,
    tenant_start: id_end,
    tenant_end: bytes.length,
    arrival_ms,
    cost_micro: Number(cost),
    soft,
  };
}

/** Blocks that stand one behind the other in the stream and were read by one reader. */
export interface Stretch {
  /** Number of its first block. */
  block: number;
  /** Physical lines in it. */
  lines: number;
  /** Valid requests in it. */
  rows: number;
  /** Bad lines told of it. */
  problems: number;
}

/** What one reader read of a stream, as plain data: stretch after stretch, and in each lines count from 1. */
export interface StreamPart {
  columns: TableColumns;
  stretches: Stretch[];
  /** The first of them, in the order of their lines. */
  problems: LineProblem[];
  problemCount: number;
}

/** Reads some blocks of a stream, in their order. */
export class PartReader {
  private readonly rows = new RowTable();
  private readonly quick = new QuickLine();
  private readonly problems: LineProblem[] = [];
  private readonly stretches: Stretch[] = [];
  private problemCount = 0;
  private nextBlock = -1;
  private stretch: Stretch = { block: 0, lines: 0, rows: 0, problems: 0 };

  /** Valid requests so far. */
  get count(): number {
    return this.rows.count;
  }

  /** Takes a block of physical lines, or null for a line of which not all was kept; `block` is its number in the stream. */
  take(bytes: Uint8Array | null, block: number): void {
    if (block !== this.nextBlock) {
      this.stretch = { block, lines: 0, rows: 0, problems: 0 };
      this.stretches.push(this.stretch);
    }
    this.nextBlock = block + 1;
    const rowsBefore = this.rows.count;
    if (bytes === null) {
      this.stretch.lines += 1;
      this.skipLong();
    } else this.takeLines(bytes);
    this.stretch.rows += this.rows.count - rowsBefore;
  }

  part(): StreamPart {
    const { stretches, problems, problemCount } = this;
    return { columns: this.rows.columns(), stretches, problems, problemCount };
  }

  /** Every physical line counts, whether it holds something or not (§1.3). */
  private takeLines(block: Uint8Array): void {
    const { quick, rows, stretch } = this;
    for (let start = 0; start <= block.length; ) {
      stretch.lines += 1;
      let end = quick.read(block, start);
      if (end >= 0) rows.add(quick, stretch.lines);
      else {
        const feed = block.indexOf(FEED, start);
        end = feed < 0 ? block.length : feed;
        if (end - start > LONGEST_LINE_BYTES) this.skipLong();
        else this.takeText(decode(block.subarray(start, end)));
      }
      start = end + 1;
    }
  }

  private takeText(text: string | null): void {
    const { block, lines } = this.stretch;
    try {
      if (text === null) throw new JsonFault("is no UTF-8");
      // A BOM is allowed at the very start and nowhere else.
      const isFirst = block === 0 && lines === 1;
      const content = isFirst && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
      if (!isBlank(content)) this.rows.add(foundRow(readRequest(content)), lines);
    } catch (fault) {
      if (!(fault instanceof JsonFault)) throw fault;
      this.skip(fault.field.slice(0, LONGEST_FIELD), fault.message);
    }
  }

  private skipLong(): void {
    this.skip("", `is longer than ${LONGEST_LINE_BYTES} bytes`);
  }

  private skip(field: string, reason: string): void {
    this.problemCount += 1;
    if (this.problems.length >= PROBLEMS_TOLD) return;
    this.problems.push({ line: this.stretch.lines, field, reason });
    this.stretch.problems += 1;
  }
}
