import type { Lane } from "../engine/bucket-columns.ts";
import type { Standing } from "../engine/rules.ts";

/**
 * The balances of all guaranteed buckets less their reserves, as one exact sum. A group changes the balance of its own
 * bucket alone, so that the sum is brought forward by the groups decided since it was last looked at.
 */
export class ReservePool {
  private readonly standing: Standing;
  /** Surplus of each bucket as it is in the sums: a whole number of 1/q millionths. */
  private readonly surplus: bigint[] = [];
  /** Σ surplus of the buckets with the same q, by q: no common denominator is needed until the sign is asked for. */
  private readonly sums = new Map<bigint, bigint>();
  private next = 0;

  constructor(standing: Standing) {
    this.standing = standing;
    for (let bucket = 0; bucket < standing.buckets.count; bucket++) this.update(bucket);
  }

  /** Whether the balances reach the reserves while `group` is judged: its own bucket is refilled already. */
  holdsAt(group: number): boolean {
    const { groups } = this.standing;
    for (; this.next < group; this.next++) this.update(groups.bucket[this.next]!);
    this.update(groups.bucket[group]!);
    return this.total() >= 0n;
  }

  /** Puts a bucket's surplus as it stands in the place of the one that is in the sums. */
  private update(bucket: number): void {
    const { buckets } = this.standing;
    if (buckets.guaranteed[bucket] === 0) return;
    const { numerator, denominator } =
      buckets.isWide[bucket] === 1
        ? this.surplusOf(buckets.bigints!, bucket)
        : this.surplusOf(buckets.numbers, bucket);
    const others = (this.sums.get(denominator) ?? 0n) - (this.surplus[bucket] ?? 0n);
    this.sums.set(denominator, others + numerator);
    this.surplus[bucket] = numerator;
  }

  private surplusOf<T extends number | bigint>(lane: Lane<T>, bucket: number) {
    const { arithmetic, reserve, signed, unit } = lane;
    const balance = this.standing.rules.balance(arithmetic, signed[bucket]!);
    return arithmetic.fraction(arithmetic.subtract(balance, reserve[bucket]!), unit[bucket]!);
  }

  /** Numerator of the whole sum; its denominator is positive. */
  private total(): bigint {
    let numerator = 0n;
    let denominator = 1n;
    for (const [q, sum] of this.sums) {
      numerator = numerator * q + sum * denominator;
      denominator *= q;
    }
    return numerator;
  }
}
