import { TextColumn } from "../../contract/text-column.ts";

const FIRST_TEXTS = 1024;
const BYTES_EACH = 16;
/** Offsets are of 32 bits. */
const MOST_BYTES = 2 ** 32 - 1;
/** A unit of UTF-16 takes at most so many bytes of UTF-8. */
const BYTES_A_UNIT = 3;

const encoder = new TextEncoder();

/** The memory of a column that was copied is free at once: of ten million rows it would be hundreds of megabytes. */
export const giveBack = ({ buffer }: { buffer: ArrayBuffer }): void => {
  buffer.transfer(0);
};

/**
 * Texts as they come, packed as their UTF-8. As long as they are those of another list, place by place, nothing is kept
 * of them: a report tells the ids of what was dispatched twice.
 */
export class PackedTexts {
  count = 0;
  /** The other list; null where a text was another one. */
  private alike: TextColumn | null;
  private bytes = new Uint8Array(FIRST_TEXTS * BYTES_EACH);
  private starts = new Uint32Array(FIRST_TEXTS + 1);

  constructor(alike: TextColumn | null = null) {
    this.alike = alike;
  }

  /** @param text of Unicode: a lone surrogate has no UTF-8 */
  add(text: string): void {
    if (this.alike !== null) {
      if (this.count < this.alike.length && this.alike.at(this.count) === text) {
        this.count += 1;
        return;
      }
      this.copyAlike(this.alike);
    }
    const start = this.starts[this.count]!;
    const most = start + text.length * BYTES_A_UNIT;
    if (most > MOST_BYTES) throw new RangeError("the ids of the report have more than 4 GiB");
    if (most > this.bytes.length) {
      const larger = new Uint8Array(Math.min(MOST_BYTES, Math.max(most, Math.ceil(this.bytes.length * 1.5))));
      larger.set(this.bytes);
      giveBack(this.bytes);
      this.bytes = larger;
    }
    if (this.count + 2 > this.starts.length) {
      const larger = new Uint32Array(Math.ceil(this.starts.length * 1.5));
      larger.set(this.starts);
      giveBack(this.starts);
      this.starts = larger;
    }
    const { written } = encoder.encodeInto(text, this.bytes.subarray(start));
    this.count += 1;
    this.starts[this.count] = start + written;
  }

  column(): TextColumn {
    const { bytes, starts } = this.alike ?? { bytes: this.bytes, starts: this.starts };
    return new TextColumn(bytes.subarray(0, starts[this.count]), starts.subarray(0, this.count + 1));
  }

  /** From here on the texts are its own. */
  private copyAlike({ bytes, starts }: TextColumn): void {
    this.alike = null;
    const used = starts[this.count]!;
    this.bytes = new Uint8Array(Math.max(used, this.bytes.length));
    this.bytes.set(bytes.subarray(0, used));
    this.starts = new Uint32Array(Math.max(this.count + 1, this.starts.length));
    this.starts.set(starts.subarray(0, this.count + 1));
  }
}
