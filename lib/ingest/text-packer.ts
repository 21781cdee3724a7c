import { TextColumn } from "../../contract/text-column.ts";
import { grown, nextCapacity } from "./growing-columns.ts";

const FIRST_CAPACITY = 1024;
const BYTES_EACH = 16;
/** Offsets are of 32 bits. */
const MOST_BYTES = 2 ** 32 - 1;
/** Texts come from strangers: nobody can know beforehand which of them have one hash. It changes no result. */
export const HASH_SEED = Math.floor(Math.random() * 2 ** 32);

/** A hash of bytes, 32 bits; of threads that put their hashes together all take the seed of one. */
export function hashOf(source: Uint8Array, start: number, end: number, seed: number): number {
  let hash = seed;
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
  private readonly seed: number;

  constructor(seed: number = HASH_SEED) {
    this.seed = seed;
  }

  /** Makes room for about so many texts: of memory that is asked for at once no page is copied. */
  expect(texts: number): void {
    if (this.count === 0 || texts <= this.hashColumn.length) return;
    const bytes = Math.ceil((this.starts[this.count]! / this.count) * texts);
    this.bytes = grown(this.bytes, Math.min(MOST_BYTES, Math.max(bytes, this.bytes.length)));
    this.grow(texts);
  }

  add(source: Uint8Array, start: number, end: number): void {
    const index = this.count++;
    const to = this.starts[index]!;
    const used = to + end - start;
    if (used > this.bytes.length) this.growBytes(used);
    if (index === this.hashColumn.length) this.grow(nextCapacity(index));
    for (let from = start, at = to; from < end; from++, at++) this.bytes[at] = source[from]!;
    this.hashColumn[index] = hashOf(source, start, end, this.seed);
    this.starts[index + 1] = used;
  }

  /** Puts all texts of another one, of the same seed, behind these. */
  append({ bytes, starts }: TextColumn, hashes: Uint32Array): void {
    const [first, to] = [this.count, this.starts[this.count]!];
    const [count, used] = [first + hashes.length, to + bytes.length];
    if (used > this.bytes.length) this.growBytes(used);
    if (count > this.hashColumn.length) this.grow(Math.max(count, nextCapacity(this.hashColumn.length)));
    this.bytes.set(bytes, to);
    this.hashColumn.set(hashes, first);
    for (let at = 0; at <= hashes.length; at++) this.starts[first + at] = to + starts[at]!;
    this.count = count;
  }

  hashes(): Uint32Array {
    return this.hashColumn.subarray(0, this.count);
  }

  build(): TextColumn {
    const used = this.starts[this.count]!;
    return new TextColumn(this.bytes.subarray(0, used), this.starts.subarray(0, this.count + 1));
  }

  private growBytes(used: number): void {
    if (used > MOST_BYTES) throw new RangeError("the ids of the stream have more than 4 GiB");
    this.bytes = grown(this.bytes, Math.min(MOST_BYTES, Math.max(used, nextCapacity(this.bytes.length))));
  }

  private grow(capacity: number): void {
    this.hashColumn = grown(this.hashColumn, capacity);
    this.starts = grown(this.starts, capacity + 1);
  }
}
