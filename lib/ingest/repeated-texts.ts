import type { TextColumn } from "../../contract/text-column.ts";

const PART_BITS = 8;
const PARTS = 2 ** PART_BITS;
const PART_SHIFT = 32 - PART_BITS;

function isSame({ bytes, starts }: TextColumn, a: number, b: number): boolean {
  const length = starts[a + 1]! - starts[a]!;
  if (starts[b + 1]! - starts[b]! !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[starts[a]! + at] !== bytes[starts[b]! + at]) return false;
  return true;
}

/** Indices by the upper bits of their hashes, in order within each part, and where each part starts. */
function byParts(hashes: Uint32Array): { indices: Uint32Array; starts: Uint32Array } {
  const starts = new Uint32Array(PARTS + 1);
  for (let index = 0; index < hashes.length; index++) starts[(hashes[index]! >>> PART_SHIFT) + 1]! += 1;
  for (let part = 0; part < PARTS; part++) starts[part + 1]! += starts[part]!;
  const next = starts.slice();
  const indices = new Uint32Array(hashes.length);
  for (let index = 0; index < hashes.length; index++) indices[next[hashes[index]! >>> PART_SHIFT]!++] = index;
  return { indices, starts };
}

/**
 * The texts that are the same as an earlier one, by index, in order. One part of the texts after the other, so that the
 * table of each fits into a processor's cache: looking up ten million in one large table takes ten times as long.
 */
export function repeatedTexts(texts: TextColumn, hashes: Uint32Array): number[] {
  const { indices, starts } = byParts(hashes);
  const largest = starts.reduce((most, start, part) => Math.max(most, start - (starts[part - 1] ?? 0)), 0);
  const size = 2 ** Math.ceil(Math.log2(largest * 2 + 2));
  // Two entries a slot: one more than a text's index (0: free), and its hash.
  const slots = new Uint32Array(size * 2);
  const repeated: number[] = [];
  for (let part = 0; part < PARTS; part++) {
    if (starts[part] === starts[part + 1]) continue;
    slots.fill(0);
    for (let place = starts[part]!; place < starts[part + 1]!; place++) {
      const index = indices[place]!;
      const hash = hashes[index]!;
      let slot = (hash & (size - 1)) * 2;
      let isRepeated = false;
      for (let known = slots[slot]!; known !== 0; known = slots[slot]!) {
        isRepeated = slots[slot + 1] === hash && isSame(texts, known - 1, index);
        if (isRepeated) break;
        slot = (slot + 2) & (size * 2 - 1);
      }
      if (isRepeated) repeated.push(index);
      else {
        slots[slot] = index + 1;
        slots[slot + 1] = hash;
      }
    }
  }
  return repeated.sort((a, b) => a - b);
}
