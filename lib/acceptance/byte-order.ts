const encoder = new TextEncoder();

/** Order of two ids by the bytes of their UTF-8 (§3.5). */
export function byBytes(a: string, b: string): number {
  const left = encoder.encode(a);
  const right = encoder.encode(b);
  for (let at = 0; at < Math.min(left.length, right.length); at++)
    if (left[at] !== right[at]) return left[at]! - right[at]!;
  return left.length - right.length;
}
