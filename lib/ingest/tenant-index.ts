import type { TextColumn } from "../../contract/text-column.ts";
import { HASH_SEED, hashOf, TextPacker } from "./text-packer.ts";

const FIRST_SLOTS = 2048;

/** The tenants of a stream by their bytes, each with an index, in the order in which they come. */
export class TenantIndex {
  private readonly packer = new TextPacker();
  private column = this.packer.build();
  /** One more than the index of the tenant in each slot; 0 where there is none. At most half are taken. */
  private slots = new Uint32Array(FIRST_SLOTS);

  indexOf(source: Uint8Array, start: number, end: number): number {
    const hash = hashOf(source, start, end, HASH_SEED);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let known = this.slots[slot]!; known !== 0; known = this.slots[slot]!) {
      if (this.isAt(known - 1, source, start, end)) return known - 1;
      slot = (slot + 1) & mask;
    }
    this.packer.add(source, start, end);
    this.column = this.packer.build();
    this.slots[slot] = this.packer.count;
    if (this.packer.count * 2 > this.slots.length) this.rebuild();
    return this.packer.count - 1;
  }

  names(): string[] {
    return [...this.column];
  }

  /** The names' bytes. */
  texts(): TextColumn {
    return this.column;
  }

  private isAt(index: number, source: Uint8Array, start: number, end: number): boolean {
    const { bytes, starts } = this.column;
    let at = starts[index]!;
    if (starts[index + 1]! - at !== end - start) return false;
    for (let from = start; from < end; from++, at++) if (bytes[at] !== source[from]) return false;
    return true;
  }

  private rebuild(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    this.packer.hashes().forEach((hash, index) => {
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = index + 1;
    });
    this.slots = slots;
  }
}
