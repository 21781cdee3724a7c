import type { LineProblem, SkippedLines } from "../../contract/request.ts";
import { JsonFault } from "./json-line.ts";
import { lineBlocks, linesOf } from "./line-blocks.ts";
import { type RequestRow, readRequest } from "./request-line.ts";

/** Bad lines that are told one by one (§1.3). */
const SHOWN = 100;
/** A field's name in a problem is cut here: a line may hold a key of megabytes. */
const LONGEST_FIELD = 256;
const PROGRESS_ROWS = 65_536;
const BYTE_ORDER_MARK = "\uFEFF";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes, or null where they are no UTF-8. */
function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** The lines of a block as text; null stands for a line that is no UTF-8, which leaves its neighbours whole. */
function textLines(block: Uint8Array): (string | null)[] {
  const text = decode(block);
  return text === null ? Array.from(linesOf(block), decode) : text.split("\n");
}

/** Only spaces, tabs and CR: no line at all (§1.3). */
function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x09 && unit !== 0x0d) return false;
  }
  return true;
}

/** What a stream holds: its valid requests in the order of their lines, and what was left out. */
export interface StreamRows {
  rows: RequestRow[];
  skipped: SkippedLines;
}

/** Reads line after line, and remembers which ids valid lines had. */
class RowReader {
  readonly rows: RequestRow[] = [];
  readonly skipped: SkippedLines = { count: 0, lines: [] };
  private readonly seen = new Set<string>();
  private line = 0;

  /** Takes one physical line; they count from 1, whether they hold something or not (§1.3). */
  take(text: string | null): void {
    this.line += 1;
    try {
      if (text === null) throw new JsonFault("is no UTF-8");
      // A BOM is allowed at the very start and nowhere else.
      const content = this.line === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
      if (!isBlank(content)) this.keep(readRequest(content));
    } catch (fault) {
      if (!(fault instanceof JsonFault)) throw fault;
      this.skip({ line: this.line, field: fault.field.slice(0, LONGEST_FIELD), reason: fault.message });
    }
  }

  /** The id of a bad line does not count as seen: only what gets here is remembered (§1.3). */
  private keep(row: RequestRow): void {
    if (this.seen.has(row.req_id)) throw new JsonFault("was seen already", "req_id");
    this.seen.add(row.req_id);
    this.rows.push(row);
  }

  private skip(problem: LineProblem): void {
    this.skipped.count += 1;
    if (this.skipped.lines.length < SHOWN) this.skipped.lines.push(problem);
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
    for (const text of textLines(block)) reader.take(text);
    if (reader.rows.length - told < PROGRESS_ROWS) continue;
    told = reader.rows.length;
    onProgress(told);
  }
  return { rows: reader.rows, skipped: reader.skipped };
}
