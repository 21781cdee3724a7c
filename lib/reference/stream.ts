import type { SkippedLines } from "../../contract/request.ts";
import { JsonFault } from "./json-line.ts";
import { type RequestRow, readRequest } from "./request-line.ts";

const FEED = 0x0a;
const SHOWN = 100;

/** Every physical line of a stream of bytes, without its line feed (§1.3); the last one only where it holds something. */
async function* physicalLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  const join = (last: Uint8Array): Uint8Array => {
    if (pieces.length === 0) return last;
    const parts = [...pieces, last];
    const line = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      line.set(part, at);
      at += part.length;
    }
    pieces = [];
    return line;
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(FEED); end >= 0; end = chunk.indexOf(FEED, start)) {
      yield join(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) pieces.push(chunk.slice(start));
  }
  if (pieces.length > 0) yield join(new Uint8Array(0));
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new JsonFault("is no UTF-8");
  }
}

/** Only spaces, tabs and CR: no line at all (§1.3). */
const isBlank = (text: string): boolean => /^[ \t\r]*$/.test(text);

/** What a stream holds: its valid requests in the order of their lines, and what was left out. */
export interface StreamRows {
  rows: RequestRow[];
  skipped: SkippedLines;
}

/** Reads the canonical stream (§1.3). */
export async function readRows(
  stream: AsyncIterable<Uint8Array>,
  onProgress: (rows: number) => void,
): Promise<StreamRows> {
  const rows: RequestRow[] = [];
  const skipped: SkippedLines = { count: 0, lines: [] };
  const seen = new Set<string>();
  let number = 0;
  for await (const bytes of physicalLines(stream)) {
    number += 1;
    try {
      let text = decode(bytes);
      if (number === 1 && text.startsWith("\uFEFF")) text = text.slice(1);
      if (isBlank(text)) continue;
      const row = readRequest(text);
      if (seen.has(row.req_id)) throw new JsonFault("was seen already", "req_id");
      seen.add(row.req_id);
      rows.push(row);
      if (rows.length % 65_536 === 0) onProgress(rows.length);
    } catch (fault) {
      if (!(fault instanceof JsonFault)) throw fault;
      skipped.count += 1;
      if (skipped.lines.length < SHOWN)
        skipped.lines.push({ line: number, field: fault.field, reason: fault.message });
    }
  }
  return { rows, skipped };
}
