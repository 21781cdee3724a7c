import { TextColumn } from "../../contract/text-column.ts";
import { grown, nextCapacity } from "./growing-columns.ts";

const FIRST_CAPACITY = 1024;
const BYTES_EACH = 16;
/** Offsets are of 32 bits. */
const MOST_BYTES = 2 ** 32 - 1;
/** Texts come from strangers: nobody can know beforehand which of them have one hash. It changes no result. */
const SEED = Math.floor(Math.random() * 2 ** 32);

/** A hash of bytes, 32 bits. */
export function hashOf(source: Uint8Array, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ source[at]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Packs texts of UTF-8 one behind the other, and takes their hashes, while they are at hand. */
export class TextPacker {
  count = 0;
  private bytes = new Uint8Array(FIRST_CAPACITY * BYTES_EACH);
  private starts = new Uint32Array(FIRST_CAPACITY + 1);
  private hashColumn = new Uint32Array(FIRST_CAPACITY);

  /** Makes room for about so many texts: of memory that is asked for at once no page is copied. */
  expect(texts: number): void {
    if (this.count === 0 || texts <= this.hashColumn.length) return;
    const bytes = Math.ceil((this.starts[this.count]! / this.count) * texts);
    this.bytes = grown(this.bytes, Math.min(MOST_BYTES, Math.max(bytes, this.bytes.length)));
    this.hashColumn = grown(this.hashColumn, texts);
    this.starts = grown(this.starts, texts + 1);
  }

  add(source: Uint8Array, start: number, end: number): void {
    const index = this.count++;
    const to = this.starts[index]!;
    const used = to + end - start;
    if (used > MOST_BYTES) throw new RangeError("the ids of the stream have more than 4 GiB");
    if (used > this.bytes.length)
      this.bytes = grown(this.bytes, Math.min(MOST_BYTES, Math.max(used, nextCapacity(this.bytes.length))));
    if (index === this.hashColumn.length) {
      this.hashColumn = grown(this.hashColumn, nextCapacity(index));
      this.starts = grown(this.starts, this.hashColumn.length + 1);
    }
    for (let from = start, at = to; from < end; from++, at++) this.bytes[at] = source[from]!;
    this.hashColumn[index] = hashOf(source, start, end);
    this.starts[index + 1] = used;
  }

  hashes(): Uint32Array {
    return this.hashColumn.subarray(0, this.count);
  }

  build(): TextColumn {
    const used = this.starts[this.count]!;
    return new TextColumn(this.bytes.subarray(0, used), this.starts.subarray(0, this.count + 1));
  }
}
