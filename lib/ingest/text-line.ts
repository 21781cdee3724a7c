import { type LineResult, readExactLine } from "./exact-line.ts";
import { PlainLineReader } from "./plain-line.ts";

/** Only spaces, tabs and CR: no line at all (§1.3). */
const EMPTY_LINE = /^[ \t\r]*$/;

/** Reads lines that could not be read from their bytes alone. */
export class TextLineReader {
  private readonly plain = new PlainLineReader();

  /** A valid request, or why the line is none; null where it holds nothing. */
  read(text: string): LineResult | null {
    const request = this.plain.read(text);
    if (request !== null) return { ok: true, request };
    if (EMPTY_LINE.test(text)) return null;
    const exact = readExactLine(text);
    if (exact.ok) this.plain.learn(exact.keys);
    return exact;
  }
}
