import { createHash } from "node:crypto";

/** A line of a file, with the digest of everything before it. */
export interface RawLine {
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer;
  /** Whether a line break ends it: one that lacks it was cut off. */
  readonly isWhole: boolean;
  /** SHA-256 of all bytes before this line, in hex; worked out when it is asked for. */
  digestBefore(): string;
}

/** Longest line that is read: a snapshot holds a whole configuration. */
const LINE_MAX_BYTES = 32 * 1024 * 1024;
const NEWLINE = 10;

/** A line that is longer than any this program writes. */
export class LineTooLong extends Error {}

/** The lines of a file, streamed: no more than one line and one block are held. */
export async function* logLines(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<RawLine> {
  const digest = createHash("sha256");
  let number = 0;
  let rest: Buffer[] = [];
  let rest_bytes = 0;

  function line(bytes: Buffer, isWhole: boolean): RawLine {
    number += 1;
    return { number, bytes, isWhole, digestBefore: () => digest.copy().digest("hex") };
  }

  for await (const block of blocks) {
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const part = bytes.subarray(start, end + 1);
      const whole = rest.length === 0 ? part : Buffer.concat([...rest, part]);
      rest = [];
      rest_bytes = 0;
      yield line(whole.subarray(0, -1), true);
      digest.update(whole);
      start = end + 1;
    }
    if (start < bytes.length) rest.push(Buffer.from(bytes.subarray(start)));
    rest_bytes += bytes.length - start;
    if (rest_bytes > LINE_MAX_BYTES)
      throw new LineTooLong(`line ${number + 1} is longer than ${LINE_MAX_BYTES} bytes`);
  }
  if (rest_bytes > 0) yield line(Buffer.concat(rest), false);
}
