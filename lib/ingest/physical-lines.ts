import { LINE_MAX_BYTES } from "../../contract/limits.ts";

const LINE_FEED = 10;

function concatenate(parts: Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Whole physical lines; null stands for one line that is longer than any that is read, and was passed over. */
type Block = Uint8Array | null;

/**
 * Cuts a stream of bytes after line feeds, wherever its chunks end: every block but the last ends with a line feed and
 * holds whole physical lines. A long line is put together once, not once a chunk; of one without an end no more is kept
 * than the longest that is read.
 */
export async function* wholeLineBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let isTooLong = false;
  for await (const chunk of chunks) {
    let start = 0;
    // What belongs to a line that began in an earlier chunk.
    if (isTooLong || pendingBytes > 0) {
      const feed = chunk.indexOf(LINE_FEED);
      const end = feed < 0 ? chunk.length : feed + 1;
      isTooLong ||= pendingBytes + (feed < 0 ? end : feed) > LINE_MAX_BYTES;
      if (!isTooLong) {
        pending.push(feed < 0 ? chunk.slice() : chunk.subarray(0, end));
        pendingBytes += end;
      }
      if (feed < 0) {
        if (isTooLong) pending = [];
        continue;
      }
      yield isTooLong ? null : concatenate(pending);
      pending = [];
      pendingBytes = 0;
      isTooLong = false;
      start = end;
    }
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > start) yield chunk.subarray(start, end);
    start = Math.max(start, end);
    if (start === chunk.length) continue;
    pendingBytes = chunk.length - start;
    isTooLong = pendingBytes > LINE_MAX_BYTES;
    pending = isTooLong ? [] : [chunk.slice(start)];
  }
  if (isTooLong) yield null;
  else if (pendingBytes > 0) yield concatenate(pending);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a line's bytes; null where they are no UTF-8. */
export function decodeLine(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** Where the line at `start` ends: its line feed, or the end of the block. */
export function endOfLine(block: Uint8Array, start: number): number {
  const feed = block.indexOf(LINE_FEED, start);
  return feed < 0 ? block.length : feed;
}
