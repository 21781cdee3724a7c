import type { TextColumn } from "../../contract/text-column.ts";

/** Order of two texts of a column by their bytes of UTF-8 (§3.5). */
export function byBytes({ bytes, starts }: TextColumn, a: number, b: number): number {
  const length = Math.min(starts[a + 1]! - starts[a]!, starts[b + 1]! - starts[b]!);
  for (let at = 0; at < length; at++) {
    const difference = bytes[starts[a]! + at]! - bytes[starts[b]! + at]!;
    if (difference !== 0) return difference;
  }
  return starts[a + 1]! - starts[a]! - (starts[b + 1]! - starts[b]!);
}
