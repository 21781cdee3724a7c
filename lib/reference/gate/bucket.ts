import type { GateRule } from "../../../contract/gate-config.ts";
import {
  type Fraction,
  fraction,
  less,
  minus,
  over,
  plus,
  roundedUp,
  smaller,
  times,
  whole,
} from "./fraction.ts";

/** One client's bucket of one rule. What it earns is not written down until something happens to it. */
export interface Bucket {
  readonly service: string;
  readonly rule: string;
  readonly client: string;
  balance: Fraction;
  /** The bucket's time: that of its last refill. */
  last_ms: number;
  /** The number of the request that matched it last. */
  used: number;
  /** Outstanding admissions that hold it (G6). */
  holds: number;
  /** When it is full if nothing else happens to it, whole milliseconds rounded up; 0: it is full. */
  full_ms: number;
}

const UNITS = new Map([
  ["ms", 1n],
  ["s", 1000n],
  ["m", 60_000n],
  ["h", 3_600_000n],
  ["d", 86_400_000n],
]);

/** Tokens a millisecond of `requests` per `per` (G1). */
export function rateOf(rule: GateRule): Fraction {
  const [, count, unit] = /([0-9]+)([a-z]+)/.exec(rule.per)!;
  return fraction(BigInt(rule.requests), BigInt(count!) * UNITS.get(unit!)!);
}

/** The balance at a time: earned since the last refill, cut at the burst; an earlier time is the bucket's last (G4). */
export function balanceAt(bucket: Bucket, rule: GateRule, now_ms: number): Fraction {
  const elapsed = Math.max(0, now_ms - bucket.last_ms);
  return smaller(plus(bucket.balance, times(rateOf(rule), elapsed)), whole(rule.burst));
}

/** Writes the balance at a time down. */
export function refill(bucket: Bucket, rule: GateRule, now_ms: number): void {
  bucket.balance = balanceAt(bucket, rule, now_ms);
  bucket.last_ms = Math.max(now_ms, bucket.last_ms);
  noteFull(bucket, rule);
}

/** A balance, cut at the burst. */
export function setBalance(bucket: Bucket, rule: GateRule, balance: Fraction): void {
  bucket.balance = smaller(balance, whole(rule.burst));
  noteFull(bucket, rule);
}

/** Works out anew when a bucket will be full: its balance, its time or its rule has changed. */
function noteFull(bucket: Bucket, rule: GateRule): void {
  const lacking = minus(whole(rule.burst), bucket.balance);
  bucket.full_ms = lacking.n === 0n ? 0 : bucket.last_ms + Number(roundedUp(over(lacking, rateOf(rule))));
}

const ONE = whole(1);

export const lacksToken = (bucket: Bucket): boolean => less(bucket.balance, ONE);
export const debit = (bucket: Bucket, rule: GateRule): void =>
  setBalance(bucket, rule, minus(bucket.balance, ONE));
/** Gives back one token, never above the burst (G4). */
export const giveBack = (bucket: Bucket, rule: GateRule): void =>
  setBalance(bucket, rule, plus(bucket.balance, ONE));
/** Whole milliseconds until a bucket that lacks a token holds one, rounded up (G4). */
export const waitOf = (bucket: Bucket, rule: GateRule): number =>
  Number(roundedUp(over(minus(ONE, bucket.balance), rateOf(rule))));
