const LINE_FEED = 10;
/** Longest line that is read, in bytes without its line feed; a longer one is never held. */
export const LOG_LINE_MAX_BYTES = 1024 * 1024;
/** Bytes kept of a line that is too long, to show where it is. */
const CLIP_BYTES = 1024;

/** Whole physical lines, or the beginning of one that is too long. */
export type LineBlock = { kind: "lines"; bytes: Uint8Array } | { kind: "overlong"; start: Uint8Array };

function joined(parts: Uint8Array[]): Uint8Array {
  return parts.length === 1 ? parts[0]! : new Uint8Array(Buffer.concat(parts));
}

/**
 * Cuts a stream of bytes after line feeds, wherever its chunks end. A line without end is let go as soon as it is too
 * long: memory stays bounded by a chunk and the longest line.
 */
export async function* boundedLines(
  chunks: AsyncIterable<Uint8Array>,
  longest = LOG_LINE_MAX_BYTES,
): AsyncGenerator<LineBlock> {
  let pending: Uint8Array[] = [];
  let length = 0;
  let clip: Uint8Array | null = null;
  for await (const chunk of chunks) {
    let rest = chunk;
    if (clip !== null) {
      const feed = rest.indexOf(LINE_FEED);
      if (feed < 0) continue;
      yield { kind: "overlong", start: clip };
      clip = null;
      rest = rest.subarray(feed + 1);
    }
    const end = rest.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      pending.push(rest.subarray(0, end));
      yield { kind: "lines", bytes: joined(pending) };
      pending = [];
      length = 0;
      rest = rest.subarray(end);
    }
    if (rest.length === 0) continue;
    pending.push(rest.slice());
    length += rest.length;
    if (length > longest) {
      clip = joined(pending).slice(0, CLIP_BYTES);
      pending = [];
      length = 0;
    }
  }
  if (clip !== null) yield { kind: "overlong", start: clip };
  else if (pending.length > 0) yield { kind: "lines", bytes: joined(pending) };
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | Uint8Array {
  try {
    return strict.decode(bytes);
  } catch {
    return bytes;
  }
}

/** The lines of a block without their line feeds; bytes where a line is no UTF-8. */
export function linesIn(block: Uint8Array): (string | Uint8Array)[] {
  const text = decode(block);
  if (typeof text === "string") {
    const lines = text.split("\n");
    if (text.endsWith("\n")) lines.pop();
    return lines;
  }
  const lines: (string | Uint8Array)[] = [];
  for (let start = 0; start < block.length; ) {
    const feed = block.indexOf(LINE_FEED, start);
    const end = feed < 0 ? block.length : feed;
    lines.push(decode(block.subarray(start, end)));
    start = end + 1;
  }
  return lines;
}
