import { LINE_MAX_BYTES } from "../../contract/limits.ts";

const LINE_FEED = 10;
/**
 * Bytes of a piece: each of two threads takes one at a time, and at the end waits for no more than the other's last. What
 * a piece comes to is large enough that its memory goes back to the system when it is let go.
 */
export const PIECE_BYTES = 8 * 1024 * 1024;
/** Bytes read at first behind a piece, to the end of its last line. */
const BEHIND_BYTES = 4096;

/** Reads a stream's bytes from a position on into a buffer. Returns how many there were; 0 only behind the last. */
export type ReadAt = (into: Uint8Array, position: number) => number;

/** The pieces of a stream, which two threads take: one always the first that is left, the other the last. */
export class Pieces {
  readonly count: number;
  /** Of the stream. */
  readonly bytes: number;
  private readonly pieceBytes: number;
  private readonly taken: Int32Array;

  /** @param taken shared by both threads, at first 0: how many pieces were taken, or asked for in vain */
  constructor(bytes: number, taken: Int32Array, pieceBytes = PIECE_BYTES) {
    this.count = Math.ceil(bytes / pieceBytes);
    this.bytes = bytes;
    this.pieceBytes = pieceBytes;
    this.taken = taken;
  }

  /** Whether there is another piece, which is then the asking thread's. */
  take(): boolean {
    return Atomics.add(this.taken, 0, 1) < this.count;
  }

  /** About how many bytes were read. */
  bytesTaken(): number {
    return Math.min(this.bytes, Atomics.load(this.taken, 0) * this.pieceBytes);
  }

  /** Where a piece starts, and the place behind it. */
  range(index: number): [start: number, end: number] {
    return [index * this.pieceBytes, Math.min(this.bytes, (index + 1) * this.pieceBytes)];
  }
}

/**
 * Cuts a stream into the physical lines of its pieces: a line belongs to the piece in which its first byte is, wherever
 * it ends. So every line belongs to one piece, and each piece can be read without any other.
 */
export class PieceLines {
  private room = new Uint8Array(BEHIND_BYTES);
  private readonly readAt: ReadAt;

  constructor(readAt: ReadAt) {
    this.readAt = readAt;
  }

  /**
   * The lines that begin from `start` to before `end`. They stay as they are until the next are asked for. Of a last
   * line that is longer than any that is read there is as much as shows that.
   */
  linesOf(start: number, end: number): Uint8Array {
    // The byte before tells whether a line begins with the piece.
    const from = start === 0 ? 0 : start - 1;
    const used = this.fill(0, end - from, from);
    const first = start === 0 ? 0 : this.room.subarray(0, used).indexOf(LINE_FEED) + 1;
    if (first === used || (first === 0 && start > 0)) return new Uint8Array(0);
    // The room may be another one by then.
    const last = this.endOfLast(used, from);
    return this.room.subarray(first, last);
  }

  /** Reads on to the end of the line in which the bytes read so far end; the place behind it. */
  private endOfLast(used: number, from: number): number {
    const lineStart = this.room.subarray(0, used).lastIndexOf(LINE_FEED) + 1;
    if (lineStart === used) return used;
    let end = used;
    for (let bytes = BEHIND_BYTES; end - lineStart <= LINE_MAX_BYTES; bytes *= 2) {
      const read = this.fill(end, bytes, from + end);
      const feed = this.room.subarray(end, end + read).indexOf(LINE_FEED);
      if (feed >= 0) return end + feed + 1;
      end += read;
      if (read < bytes) return end;
    }
    return end;
  }

  /**
   * Reads up to so many bytes to a place in the room; fewer only where the stream ends. There is room for what is read
   * first behind them; behind a long line twice as much is asked for each time.
   */
  private fill(at: number, bytes: number, position: number): number {
    if (at + bytes > this.room.length) {
      const larger = new Uint8Array(at + bytes + BEHIND_BYTES);
      larger.set(this.room.subarray(0, at));
      this.room = larger;
    }
    let done = 0;
    for (let read = -1; done < bytes && read !== 0; done += read)
      read = this.readAt(this.room.subarray(at + done, at + bytes), position + done);
    return done;
  }
}
