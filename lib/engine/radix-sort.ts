const DIGIT_BITS = 16;
const DIGITS = 2 ** DIGIT_BITS;
/** Keys are below 2^53: four digits of sixteen bits. */
const PASSES = 4;

/** Sorted already? Logs usually are, and the passes can be spared. */
function isSorted(indices: Uint32Array, keys: Float64Array): boolean {
  for (let at = 1; at < indices.length; at++) if (keys[indices[at - 1]!]! > keys[indices[at]!]!) return false;
  return true;
}

/** Stable sort of `indices` by `keys[index]` (whole numbers 0 … 2^53 − 1), least significant digit first. */
export function radixSort(indices: Uint32Array, keys: Float64Array): Uint32Array {
  let from = indices.slice();
  if (isSorted(from, keys)) return from;
  let to = new Uint32Array(from.length);
  const digits = new Uint16Array(from.length);
  for (let pass = 0; pass < PASSES; pass++) {
    const divisor = 2 ** (DIGIT_BITS * pass);
    const starts = new Uint32Array(DIGITS + 1);
    for (let at = 0; at < from.length; at++) {
      const digit = Math.floor(keys[from[at]!]! / divisor) % DIGITS;
      digits[at] = digit;
      starts[digit + 1]! += 1;
    }
    // All keys share this digit: the pass would move nothing.
    if (starts[digits[0]! + 1] === from.length) continue;
    for (let digit = 0; digit < DIGITS; digit++) starts[digit + 1]! += starts[digit]!;
    for (let at = 0; at < from.length; at++) to[starts[digits[at]!]!++] = from[at]!;
    [from, to] = [to, from];
  }
  return from;
}
