import type { RequestColumns } from "../../contract/request.ts";
import type { TextColumn } from "../../contract/text-column.ts";

/** Order of two texts of a column by their bytes of UTF-8 (§3.5). */
export function byBytes({ bytes, starts }: TextColumn, a: number, b: number): number {
  const [startA, startB] = [starts[a]!, starts[b]!];
  const [lengthA, lengthB] = [starts[a + 1]! - startA, starts[b + 1]! - startB];
  const length = Math.min(lengthA, lengthB);
  for (let at = 0; at < length; at++) {
    const difference = bytes[startA + at]! - bytes[startB + at]!;
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}

/** Order of two requests by arrival and id (§3.5). */
export const byArrival = ({ arrivalMs, reqId }: RequestColumns, a: number, b: number): number =>
  arrivalMs[a]! - arrivalMs[b]! || byBytes(reqId, a, b);
