import type { LineProblem, SkippedLines } from "../../contract/request.ts";
import { JsonFault } from "./json-line.ts";
import { LONGEST_LINE_BYTES, lineBlocks } from "./line-blocks.ts";
import { QuickLine } from "./quick-line.ts";
import { repeatedIds } from "./repeated-ids.ts";
import { type RequestRow, readRequest } from "./request-line.ts";
import { type FoundRow, RowTable } from "./row-table.ts";

/** Bad lines that are told one by one (§1.3). */
const SHOWN = 100;
/** A field's name in a problem is cut here: a line may hold a key of megabytes. */
const LONGEST_FIELD = 256;
const PROGRESS_ROWS = 65_536;
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

/** What a stream holds: its valid requests in the order of their lines, and what was left out. */
export interface StreamRows {
  rows: RowTable;
  skipped: SkippedLines;
}

/** Reads line after line. */
class RowReader {
  readonly rows = new RowTable();
  private readonly quick = new QuickLine();
  private readonly problems: LineProblem[] = [];
  private problemCount = 0;
  private line = 0;

  /** Takes a block of physical lines; they count from 1, whether they hold something or not (§1.3). */
  takeBlock(block: Uint8Array): void {
    for (let start = 0; start <= block.length; ) {
      this.line += 1;
      let end = this.quick.read(block, start);
      if (end >= 0) this.rows.add(this.quick, this.line);
      else {
        const feed = block.indexOf(FEED, start);
        end = feed < 0 ? block.length : feed;
        if (end - start > LONGEST_LINE_BYTES) this.skipLong();
        else this.takeText(decode(block.subarray(start, end)));
      }
      start = end + 1;
    }
  }

  /** Takes a line of which not all was kept. */
  takeLong(): void {
    this.line += 1;
    this.skipLong();
  }

  /** The rows whose ids are new; the lines of the others are bad. The id of a bad line does not count as seen (§1.3). */
  finish(): StreamRows {
    const repeated = repeatedIds(this.rows);
    const again = repeated
      .slice(0, SHOWN)
      .map((row) => ({ line: this.rows.line[row]!, field: "req_id", reason: "was seen already" }));
    const lines = [...this.problems, ...again].sort((a, b) => a.line - b.line).slice(0, SHOWN);
    return {
      rows: repeated.length === 0 ? this.rows : this.rows.without(repeated),
      skipped: { count: this.problemCount + repeated.length, lines },
    };
  }

  private takeText(text: string | null): void {
    try {
      if (text === null) throw new JsonFault("is no UTF-8");
      // A BOM is allowed at the very start and nowhere else.
      const content = this.line === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
      if (!isBlank(content)) this.rows.add(foundRow(readRequest(content)), this.line);
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
    if (this.problems.length < SHOWN) this.problems.push({ line: this.line, field, reason });
  }
}

/** Reads the canonical stream (§1.3). `onProgress` is told the number of valid requests every now and then. */
export async function readRows(
  stream: AsyncIterable<Uint8Array>,
  onProgress: (rows: number) => void,
): Promise<StreamRows> {
  const reader = new RowReader();
  let told = 0;
  for await (const block of lineBlocks(stream)) {
    if (block === null) reader.takeLong();
    else reader.takeBlock(block);
    if (reader.rows.count - told < PROGRESS_ROWS) continue;
    told = reader.rows.count;
    onProgress(told);
  }
  return reader.finish();
}
