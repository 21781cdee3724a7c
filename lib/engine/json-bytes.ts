const QUOTE = 34;
const BACKSLASH = 92;
const ZERO = 48;
/** Whole numbers below this are written digit by digit. */
const SMALL = 1_000_000_000;
/** Room that is asked for before a row: two names of 256 bytes, each escaped, and what stands around them. */
const ROW_BYTES = 4096;
const BLOCK_BYTES = 1024 * 1024;

const encoder = new TextEncoder();
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/**
 * Writes JSON as bytes into blocks. Of a long round there is never more than two blocks of text: a block that was taken
 * stays as it is until the block after the next is begun.
 */
export class JsonBytes {
  private block = new Uint8Array(BLOCK_BYTES);
  private other = new Uint8Array(BLOCK_BYTES);
  private at = 0;

  /** Whether the block should be taken before another row is written. */
  get isFull(): boolean {
    return this.at > BLOCK_BYTES - ROW_BYTES;
  }

  /** What was written since the last time. */
  take(): Uint8Array {
    const taken = this.block.subarray(0, this.at);
    [this.block, this.other] = [this.other, this.block];
    this.at = 0;
    return taken;
  }

  /** Bytes that are JSON already, at most a row's. */
  raw(piece: Uint8Array): void {
    this.block.set(piece, this.at);
    this.at += piece.length;
  }

  /** One mark. */
  mark(byte: number): void {
    this.block[this.at++] = byte;
  }

  /** The inside of a JSON string from a name's bytes (§1.4): of what names may hold, JSON escapes two marks (RFC 8785). */
  name(bytes: Uint8Array, start: number, end: number): void {
    const { block } = this;
    let { at } = this;
    for (let from = start; from < end; from++) {
      const byte = bytes[from]!;
      if (byte === QUOTE || byte === BACKSLASH) block[at++] = BACKSLASH;
      block[at++] = byte;
    }
    this.at = at;
  }

  /** A number; a small whole one, as nearly all are, digit by digit. */
  number(value: number): void {
    if (!(value >= 0 && value < SMALL && Number.isInteger(value)))
      return this.raw(bytesOf(JSON.stringify(value)));
    const { block } = this;
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
    let rest = value;
    for (let at = this.at + digits - 1; at >= this.at; at--) {
      const tenth = Math.floor(rest / 10);
      block[at] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    this.at += digits;
  }
}
