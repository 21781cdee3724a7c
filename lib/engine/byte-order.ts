import type { TextColumn } from "../../contract/text-column.ts";

/** Order of two texts of a column by their UTF-8 bytes (§3.5). */
export function compareBytes({ bytes, starts }: TextColumn, a: number, b: number): number {
  let x = starts[a]!;
  let y = starts[b]!;
  const xEnd = starts[a + 1]!;
  const yEnd = starts[b + 1]!;
  const length = Math.min(xEnd - x, yEnd - y);
  for (const end = x + length; x < end; x++, y++) {
    const difference = bytes[x]! - bytes[y]!;
    if (difference !== 0) return difference;
  }
  return xEnd - x - (yEnd - y);
}
