/** What is wrong with the text of a report, in words that follow "the report". */
export class ReportFault extends Error {}

/**
 * A stream of bytes seen through a window: what was not used up stays in it, and the next bytes come behind. Places are
 * those of the window; they are valid until the next `more`.
 */
export class ByteWindow {
  bytes: Uint8Array = new Uint8Array(0);
  /** The place of the next byte that is not used up. */
  at = 0;
  private readonly chunks: AsyncIterator<Uint8Array>;
  /** Bytes that were before the window. */
  private passed = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** Where a place of the window is in the stream. */
  offsetOf(place: number): number {
    return this.passed + place;
  }

  /** Adds bytes behind those from `at` on, which then begin the window; false at the end of the stream. */
  async more(): Promise<boolean> {
    const rest = this.bytes.subarray(this.at);
    const parts = [rest];
    let length = rest.length;
    // As much again as there is: so what becomes long is copied in linear time.
    while (length === rest.length || length < 2 * rest.length) {
      const { done, value } = await this.chunks.next();
      if (done === true) break;
      // A chunk is valid until the next one is asked for.
      parts.push(new Uint8Array(value));
      length += value.length;
    }
    if (length === rest.length) return false;
    const bytes = new Uint8Array(length);
    let to = 0;
    for (const part of parts) {
      bytes.set(part, to);
      to += part.length;
    }
    this.passed += this.at;
    this.bytes = bytes;
    this.at = 0;
    return true;
  }

  /** The next byte that is no white space of JSON, which stays; −1 at the end of the stream. */
  async peek(): Promise<number> {
    for (;;) {
      for (; this.at < this.bytes.length; this.at++) {
        const byte = this.bytes[this.at]!;
        if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
      }
      if (!(await this.more())) return -1;
    }
  }
}
