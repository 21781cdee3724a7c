import { closeSync, openSync, readSync } from "node:fs";

const COMMA = 0x2c;
const CLOSE = 0x7d;

/**
 * Holds the canonical text that the reference tells beside a report's file, byte by byte. A report whose text begins
 * with it (as our own do) has these very figures: nothing of it need be parsed to be compared. That a text differs says
 * nothing yet: JSON has many layouts.
 */
export class ReportMirror {
  private readonly file: number;
  private buffer = Buffer.alloc(0);
  private position = 0;
  private differs = false;
  /** The last byte of each side: the text ends with a brace where the report goes on. */
  private told = -1;
  private found = -1;

  constructor(path: string) {
    this.file = openSync(path, "r");
  }

  /** Takes the next piece of the expected text. */
  take(piece: Uint8Array): void {
    if (this.differs || piece.length === 0) return;
    if (this.buffer.length < piece.length) this.buffer = Buffer.alloc(piece.length);
    const last = piece.length - 1;
    this.differs =
      this.told !== this.found ||
      !this.fill(piece.length) ||
      this.buffer.compare(piece, 0, last, 0, last) !== 0;
    this.told = piece[last]!;
    this.found = this.buffer[last]!;
  }

  /** Whether the report began with the whole text, but for the brace in whose place it goes on. Closes the file. */
  finish(): boolean {
    closeSync(this.file);
    return !this.differs && this.told === CLOSE && this.found === COMMA;
  }

  private fill(bytes: number): boolean {
    let filled = 0;
    while (filled < bytes) {
      const read = readSync(this.file, this.buffer, filled, bytes - filled, this.position);
      if (read === 0) return false;
      filled += read;
      this.position += read;
    }
    return true;
  }
}
