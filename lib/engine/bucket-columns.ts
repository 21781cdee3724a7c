import type { Tenant } from "../../contract/policy.ts";
import type { Arithmetic } from "./arithmetic.ts";

/** "Never refilled" is a state of its own, not the number 0 (§3.2). No time is negative. */
export const NEVER = -1;

/** A column of amounts by bucket index: a typed array or, for big integers, a plain one. */
export interface Column<T> {
  [bucket: number]: T;
}

/** Amounts of the buckets that share an arithmetic, by bucket index; entries of other buckets are unused. */
export interface Lane<T extends number | bigint> {
  arithmetic: Arithmetic<T>;
  /** q of the bucket's rate p / q. */
  unit: Column<T>;
  capacity: Column<T>;
  opening: Column<T>;
  reserve: Column<T>;
  rate: Column<T>;
  /** §3.2; lowered by debits only. */
  snapshot: Column<T>;
  signed: Column<T>;
  used: Column<T>;
}

/** Every bucket of a round (§1.2, §3.6), as columns by bucket index. */
export interface Buckets {
  count: number;
  names: string[];
  /** The policy's entry behind each bucket: its own, or the template. */
  tenants: Tenant[];
  rank: Uint32Array;
  guaranteed: Uint8Array;
  /** Time of the last refill in milliseconds, or NEVER. */
  refilled_ms: Float64Array;
  numbers: Lane<number>;
  /** Null where no bucket is wide. */
  bigints: Lane<bigint> | null;
  isWide: Uint8Array;
  /** Bucket of each tenant index of the stream, −1 where it has none. */
  ofTenant: Int32Array;
}
