import type { ClientKey } from "./client.ts";
import type { Entry } from "./heap.ts";
import type { Rule } from "./snapshot.ts";

/** A balance where plain numbers are not exact (§2): num / den tokens, `den` a multiple of the rule's `per_ms`. */
interface Wide {
  num: bigint;
  den: bigint;
}

/** All buckets of one client in one service, by the index of their rule. */
export class ClientBuckets {
  /** Whose buckets these are among. */
  readonly owner: object;
  readonly kind: ClientKey["kind"];
  readonly value: string;
  readonly buckets: (Bucket | undefined)[] = [];
  count = 0;

  constructor(owner: object, { kind, value }: ClientKey) {
    this.owner = owner;
    this.kind = kind;
    this.value = value;
  }
}

/** One client's bucket of one rule. */
export interface Bucket {
  rule: Rule;
  readonly client: ClientBuckets;
  /** The balance in 1/`per_ms` tokens: whole, and exact as a number. Meaningless while `wide` is there. */
  parts: number;
  wide: Wide | null;
  /** The bucket's time (G4): that of its last refill. */
  last_ms: number;
  /** Number of the request that matched it last (G6). */
  used: number;
  /** Outstanding provisional admissions. */
  held: number;
  /** It was forgotten, or its rule is gone: nothing may be given back to it any more (G8). */
  gone: boolean;
  readonly age: BucketEntry;
  readonly fill: BucketEntry;
}

/** A bucket's place in a heap; see `Room`. */
export interface BucketEntry extends Entry {
  bucket: Bucket;
  /** Whether it waits among the full ones. */
  sorted: boolean;
}

/** A new bucket, full (G4). */
export function openBucket(rule: Rule, client: ClientBuckets, now_ms: number, used: number): Bucket {
  const entry = { key: 0, tie: rule.index, place: -1, sorted: false } as BucketEntry;
  const bucket: Bucket = {
    rule,
    client,
    parts: rule.wide === null ? rule.cap : 0,
    wide: rule.wide === null ? null : { num: rule.wide.burst * rule.wide.per_ms, den: rule.wide.per_ms },
    last_ms: now_ms,
    used,
    held: 0,
    gone: false,
    age: entry,
    fill: { ...entry },
  };
  bucket.age.bucket = bucket;
  bucket.fill.bucket = bucket;
  return bucket;
}

/**
 * ⌈a / b⌉ of whole numbers, 0 ≤ a < 2^53: exact, since a quotient that is not whole is at least 1 / b away from the
 * next whole number k < 2^53 / b, and half the spacing of doubles at k is less than that.
 */
const ceilOf = (a: number, b: number): number => Math.ceil(a / b);

const ceilOfWide = (a: bigint, b: bigint): number => Number((a + b - 1n) / b);

/** The numerator at a time of a wide balance, cut at the burst. */
function wideAt({ rule, last_ms }: Bucket, { num, den }: Wide, now_ms: number): bigint {
  const cap = BigInt(rule.burst) * den;
  if (now_ms <= last_ms) return num;
  const earned = num + ((BigInt(rule.requests) * den) / BigInt(rule.per_ms)) * BigInt(now_ms - last_ms);
  return earned > cap ? cap : earned;
}

function partsAt({ rule, parts, last_ms }: Bucket, now_ms: number): number {
  const elapsed = now_ms - last_ms;
  if (elapsed <= 0) return parts;
  // Beyond `fill_ms` the product could leave the exact range, and the bucket is full anyway.
  if (elapsed >= rule.fill_ms) return rule.cap;
  return Math.min(rule.cap, parts + rule.requests * elapsed);
}

/** Refills to a time (G4): continuous, exact, cut at the burst; an earlier time is the bucket's last. */
export function refill(bucket: Bucket, now_ms: number): void {
  if (now_ms <= bucket.last_ms) return;
  if (bucket.wide === null) bucket.parts = partsAt(bucket, now_ms);
  else refillWide(bucket, bucket.wide, now_ms);
  bucket.last_ms = now_ms;
}

function refillWide(bucket: Bucket, wide: Wide, now_ms: number): void {
  wide.num = wideAt(bucket, wide, now_ms);
  narrow(bucket, wide);
}

/** A full bucket owes nothing to a former rate: its balance is whole again, and plain numbers will do. */
function narrow(bucket: Bucket, { num, den }: Wide): void {
  if (bucket.rule.wide !== null || num !== BigInt(bucket.rule.burst) * den) return;
  bucket.wide = null;
  bucket.parts = bucket.rule.cap;
}

export const lacksToken = ({ wide, parts, rule }: Bucket): boolean =>
  wide === null ? parts < rule.per_ms : wide.num < wide.den;

/** Takes one token from a bucket that holds one. */
export function debit(bucket: Bucket): void {
  if (bucket.wide === null) bucket.parts -= bucket.rule.per_ms;
  else bucket.wide.num -= bucket.wide.den;
}

/** Gives one token back, never above the burst (G4). */
export function giveBack(bucket: Bucket): void {
  const { rule, wide } = bucket;
  if (wide === null) bucket.parts = Math.min(rule.cap, bucket.parts + rule.per_ms);
  else {
    const cap = BigInt(rule.burst) * wide.den;
    wide.num = wide.num + wide.den > cap ? cap : wide.num + wide.den;
    narrow(bucket, wide);
  }
}

/** Milliseconds from the bucket's time until it holds `tokens` (0: until it is full), rounded up (G4). */
function untilOf({ rule, wide, parts }: Bucket, tokens: 0 | 1): number {
  if (wide === null)
    return ceilOf(Math.max(0, (tokens === 0 ? rule.cap : rule.per_ms) - parts), rule.requests);
  const goal = tokens === 0 ? BigInt(rule.burst) * wide.den : wide.den;
  const earned_per_ms = (BigInt(rule.requests) * wide.den) / BigInt(rule.per_ms);
  return goal <= wide.num ? 0 : ceilOfWide(goal - wide.num, earned_per_ms);
}

/** The wait of a bucket that lacks a token, in whole milliseconds from its time. */
export const waitOf = (bucket: Bucket): number => untilOf(bucket, 1);

/** When the bucket will be full: its key among those that fill. 0 where it is full as it stands, whatever the clock says. */
export function fullAt(bucket: Bucket): number {
  const wait = untilOf(bucket, 0);
  return wait === 0 ? 0 : bucket.last_ms + wait;
}

const PRECISION = 64;
const bitLength = (value: bigint): number => value.toString(2).length;

/** The double nearest to num / den ≥ 0, ties to even: a quotient of over 60 bits whose last bit says whether more follows. */
export function nearest(num: bigint, den: bigint): number {
  const shift = Math.max(0, PRECISION - (bitLength(num) - bitLength(den)));
  const scaled = num << BigInt(shift);
  const sticky = scaled % den === 0n ? 0n : 1n;
  return Number(((scaled / den) << 1n) | sticky) / 2 ** (shift + 1);
}

/** What a bucket holds at a time, for people and headers: worked out when it is asked for. */
export class Level {
  readonly rule: Rule;
  readonly #num: number | bigint;
  readonly #den: number | bigint;

  /** num / den tokens. */
  constructor(rule: Rule, num: number | bigint, den: number | bigint) {
    this.rule = rule;
    this.#num = num;
    this.#den = den;
  }

  /** Tokens, the double nearest to the exact balance. Two whole numbers below 2^53 are divided with one rounding. */
  get balance(): number {
    const [num, den] = [this.#num, this.#den];
    return typeof num === "number" ? num / (den as number) : nearest(num, den as bigint);
  }

  /** Whole tokens. */
  get tokens(): number {
    const [num, den] = [this.#num, this.#den];
    return typeof num === "number" ? Math.floor(num / (den as number)) : Number(num / (den as bigint));
  }

  /** Milliseconds until there is one whole token more, rounded up; null where the bucket is full. */
  get next_ms(): number | null {
    const { requests, per_ms, burst } = this.rule;
    const next = this.tokens + 1;
    if (next > burst) return null;
    if (typeof this.#num === "number") return ceilOf(next * (this.#den as number) - this.#num, requests);
    const den = this.#den as bigint;
    return ceilOfWide(BigInt(next) * den - this.#num, (BigInt(requests) * den) / BigInt(per_ms));
  }

  /** Milliseconds until full, rounded up. */
  get full_ms(): number {
    const { requests, per_ms, burst, cap } = this.rule;
    if (typeof this.#num === "number") return ceilOf(cap - this.#num, requests);
    const den = this.#den as bigint;
    return ceilOfWide(BigInt(burst) * den - this.#num, (BigInt(requests) * den) / BigInt(per_ms));
  }
}

/** The level at a time; nothing is written down. */
export function levelOf(bucket: Bucket, now_ms: number): Level {
  const { rule, wide } = bucket;
  if (wide === null) return new Level(rule, partsAt(bucket, now_ms), rule.per_ms);
  return new Level(rule, wideAt(bucket, wide, now_ms), wide.den);
}

function lcm(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}

/** Whether two rules fill alike, so that going from one to the other changes no balance (G8). */
export const sameLimit = (a: Rule, b: Rule): boolean =>
  a.burst === b.burst && BigInt(a.requests) * BigInt(b.per_ms) === BigInt(b.requests) * BigInt(a.per_ms);

/**
 * Hands a bucket over to a rule of the same identity (G8): what came before counts at the rate of then; the balance is
 * cut to the new burst and never raised.
 */
export function handOver(bucket: Bucket, rule: Rule, now_ms: number): void {
  const before = bucket.rule;
  if (!sameLimit(before, rule)) refill(bucket, now_ms);
  const { num, den } = bucket.wide ?? { num: BigInt(bucket.parts), den: BigInt(before.per_ms) };
  bucket.rule = rule;
  bucket.age.tie = rule.index;
  bucket.fill.tie = rule.index;
  const common = lcm(den, BigInt(rule.per_ms));
  const scaled = num * (common / den);
  const cap = BigInt(rule.burst) * common;
  const wide = { num: scaled > cap ? cap : scaled, den: common };
  const unit = common / BigInt(rule.per_ms);
  const exact = rule.wide === null && wide.num % unit === 0n;
  bucket.wide = exact ? null : wide;
  bucket.parts = exact ? Number(wide.num / unit) : 0;
}
