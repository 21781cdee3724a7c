/**
 * A stream of bytes as blocks of whole lines (§1.3). A chunk may end anywhere, also inside a character: what comes
 * after its last line feed waits for the next one.
 */

const FEED = 0x0a;
const FIRST_ROOM_BYTES = 1 << 12;
/** A line without an end must not fill the memory: more bytes of one line than this are not kept. */
export const LONGEST_LINE_BYTES = 16 * 1024 * 1024;

/** The start of a line whose end has not come yet. Its room doubles, so that a long line is copied in linear time. */
class Remainder {
  private room = new Uint8Array(FIRST_ROOM_BYTES);
  private used = 0;
  private isOver = false;

  get isEmpty(): boolean {
    return this.used === 0 && !this.isOver;
  }

  add(bytes: Uint8Array): void {
    const needed = this.used + bytes.length;
    if (this.isOver || needed > LONGEST_LINE_BYTES) {
      this.isOver = true;
      return;
    }
    if (needed > this.room.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.room.length));
      larger.set(this.room.subarray(0, this.used));
      this.room = larger;
    }
    this.room.set(bytes, this.used);
    this.used = needed;
  }

  /** What was kept, or null where the line is too long; and nothing is kept from then on. Valid until the next `add`. */
  take(): Uint8Array | null {
    const bytes = this.isOver ? null : this.room.subarray(0, this.used);
    this.used = 0;
    this.isOver = false;
    return bytes;
  }
}

/**
 * Blocks of whole lines, each line without its line feed but those between two lines of a block; null stands for one
 * line that is too long. A block is valid until the next is asked for. A stream that ends in a line feed has no line
 * after it.
 */
export async function* lineBlocks(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  const remainder = new Remainder();
  for await (const chunk of stream) {
    const end = chunk.lastIndexOf(FEED);
    if (end < 0) {
      remainder.add(chunk);
      continue;
    }
    let start = 0;
    if (!remainder.isEmpty) {
      start = chunk.indexOf(FEED) + 1;
      remainder.add(chunk.subarray(0, start - 1));
      yield remainder.take();
    }
    if (start <= end) yield chunk.subarray(start, end);
    remainder.add(chunk.subarray(end + 1));
  }
  if (!remainder.isEmpty) yield remainder.take();
}
