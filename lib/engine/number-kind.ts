import { type Arithmetic, narrow } from "./arithmetic.ts";

/** How amounts are kept in doubles (§2): the arithmetic, and the way into it from exact values. */
export interface NumberKind {
  arithmetic: Arithmetic<number>;
  /** Whether a bucket with this bound on its amounts (in 1/q millionths) may be kept this way. */
  holds(bound: bigint): boolean;
  /** The bucket's unit, from q. */
  unit(q: bigint): number;
  /** What the bucket earns a millisecond, from p / q. */
  rate(p: bigint, q: bigint): number;
  convert(micro: bigint, unit: number): number;
}

/** Whole numbers of 1/q millionths, where they all stay exact in a double; other buckets are widened (§2). */
export const exactNumbers: NumberKind = {
  arithmetic: narrow,
  holds: (bound) => bound <= BigInt(Number.MAX_SAFE_INTEGER),
  unit: (q) => Number(q),
  rate: (p) => Number(p),
  convert: (micro, unit) => Number(micro) * unit,
};
