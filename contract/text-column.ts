import type { Rows } from "./rows.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Up to so many bytes a text of ASCII is put together unit by unit: a decoder costs more than that. */
const SHORT = 24;

/** Texts as their UTF-8 bytes, one behind the other: ten million ids take little more than their bytes. */
export class TextColumn implements Rows<string> {
  readonly length: number;
  readonly bytes: Uint8Array;
  /** Where each text starts in `bytes`; one entry more than there are texts. */
  readonly starts: Uint32Array;

  constructor(bytes: Uint8Array, starts: Uint32Array) {
    this.length = starts.length - 1;
    this.bytes = bytes;
    this.starts = starts;
  }

  static of(texts: readonly string[]): TextColumn {
    const encoded = texts.map((text) => encoder.encode(text));
    const starts = new Uint32Array(texts.length + 1);
    encoded.forEach((text, index) => {
      starts[index + 1] = starts[index]! + text.length;
    });
    const bytes = new Uint8Array(starts[texts.length]!);
    encoded.forEach((text, index) => {
      bytes.set(text, starts[index]!);
    });
    return new TextColumn(bytes, starts);
  }

  at(index: number): string {
    const start = this.starts[index]!;
    const end = this.starts[index + 1]!;
    if (end - start > SHORT) return decoder.decode(this.bytes.subarray(start, end));
    let text = "";
    let at = start;
    // Some at once: each piece that is added is a text of its own first.
    for (; at + 4 <= end; at += 4) {
      const [a, b, c, d] = [this.bytes[at]!, this.bytes[at + 1]!, this.bytes[at + 2]!, this.bytes[at + 3]!];
      if ((a | b | c | d) > 0x7f) return decoder.decode(this.bytes.subarray(start, end));
      text += String.fromCharCode(a, b, c, d);
    }
    for (; at < end; at++) {
      const byte = this.bytes[at]!;
      if (byte > 0x7f) return decoder.decode(this.bytes.subarray(start, end));
      text += String.fromCharCode(byte);
    }
    return text;
  }

  *[Symbol.iterator](): Generator<string> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }
}
