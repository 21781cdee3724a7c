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

/**
 * Cuts a stream of bytes after line feeds, wherever its chunks end: every block but the last ends with a line feed and
 * holds whole physical lines. A long line is put together once, not once a chunk.
 */
export async function* wholeLineBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) {
      pending.push(chunk);
      continue;
    }
    pending.push(chunk.subarray(0, end));
    yield concatenate(pending);
    pending = end < chunk.length ? [chunk.slice(end)] : [];
  }
  if (pending.length > 0) yield concatenate(pending);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** The lines of a block, without their line feeds; null for a line that is no UTF-8. */
export function linesOfBlock(block: Uint8Array): (string | null)[] {
  const text = decode(block);
  if (text !== null) {
    const lines = text.split("\n");
    if (text.endsWith("\n")) lines.pop();
    return lines;
  }
  const lines: (string | null)[] = [];
  for (let start = 0; start < block.length; ) {
    const feed = block.indexOf(LINE_FEED, start);
    const end = feed < 0 ? block.length : feed;
    lines.push(decode(block.subarray(start, end)));
    start = end + 1;
  }
  return lines;
}
