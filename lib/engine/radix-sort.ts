const DIGIT_BITS = 16;
const DIGITS = 2 ** DIGIT_BITS;
/** Below this many the passes over all digits cost more than comparing. */
const SMALL = 2048;

/** Whether `keys` are in order as the indices stand. Logs usually are, and every pass can be spared. */
function isSorted(indices: Uint32Array, keys: Float64Array | Uint32Array): boolean {
  for (let at = 1; at < indices.length; at++) if (keys[indices[at - 1]!]! > keys[indices[at]!]!) return false;
  return true;
}

/** One stable pass: places `from` into `to` by digits, given digit by digit at the places of `from`. */
function distribute(from: Uint32Array, to: Uint32Array, digits: Uint16Array): void {
  const next = new Uint32Array(DIGITS + 1);
  for (let at = 0; at < digits.length; at++) next[digits[at]! + 1]! += 1;
  for (let digit = 0; digit < DIGITS; digit++) next[digit + 1]! += next[digit]!;
  for (let at = 0; at < from.length; at++) to[next[digits[at]!]!++] = from[at]!;
}

/**
 * A stable sort of `indices` by `keys[index]`, whole numbers 0 … 2^53 − 1: least significant digit first, as many
 * digits as the largest key has.
 */
export function radixSort(indices: Uint32Array, keys: Float64Array | Uint32Array): Uint32Array {
  let from = indices.slice();
  if (isSorted(from, keys)) return from;
  if (from.length < SMALL) return from.sort((a, b) => keys[a]! - keys[b]!);
  let to = new Uint32Array(from.length);
  let largest = 0;
  for (let at = 0; at < from.length; at++) if (keys[from[at]!]! > largest) largest = keys[from[at]!]!;
  const digits = new Uint16Array(from.length);
  for (let unit = 1; unit <= largest; unit *= DIGITS) {
    // A typed array keeps the lowest 16 bits of what it is given: the digit (ToUint16).
    for (let at = 0; at < from.length; at++) digits[at] = Math.floor(keys[from[at]!]! / unit);
    distribute(from, to, digits);
    [from, to] = [to, from];
  }
  return from;
}
