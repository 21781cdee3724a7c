import { TextColumn } from "../../contract/text-column.ts";

const FIRST_TEXTS = 1024;
const BYTES_EACH = 16;
/** Offsets are of 32 bits. */
const MOST_BYTES = 2 ** 32 - 1;
/** A unit of UTF-16 takes at most so many bytes of UTF-8. */
const BYTES_A_UNIT = 3;

const encoder = new TextEncoder();

/** Texts as they come, packed as their UTF-8. */
export class PackedTexts {
  count = 0;
  private bytes = new Uint8Array(FIRST_TEXTS * BYTES_EACH);
  private starts = new Uint32Array(FIRST_TEXTS + 1);

  /** @param text of Unicode: a lone surrogate has no UTF-8 */
  add(text: string): void {
    const start = this.starts[this.count]!;
    const most = start + text.length * BYTES_A_UNIT;
    if (most > MOST_BYTES) throw new RangeError("the ids of the report have more than 4 GiB");
    if (most > this.bytes.length) {
      const larger = new Uint8Array(Math.min(MOST_BYTES, Math.max(most, Math.ceil(this.bytes.length * 1.5))));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    if (this.count + 2 > this.starts.length) {
      const larger = new Uint32Array(Math.ceil(this.starts.length * 1.5));
      larger.set(this.starts);
      this.starts = larger;
    }
    const { written } = encoder.encodeInto(text, this.bytes.subarray(start));
    this.count += 1;
    this.starts[this.count] = start + written;
  }

  column(): TextColumn {
    return new TextColumn(
      this.bytes.subarray(0, this.starts[this.count]),
      this.starts.subarray(0, this.count + 1),
    );
  }
}
