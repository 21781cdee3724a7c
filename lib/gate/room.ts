import { type Bucket, type BucketEntry, fullAt } from "./bucket.ts";
import { Heap } from "./heap.ts";

/**
 * Which bucket of a service goes first when room is needed (G6), in O(log n). Three heaps, none of them kept up to
 * date at each use: what they hold is a lower limit of the true key, which is looked up when an entry comes to the
 * top. `filling` by the time of being full; `full` and `ages` by last use, ties by the order of the rules. Held
 * buckets drop out when they come to the top, and are put back by `release`.
 */
export class Room {
  readonly #ages = new Heap<BucketEntry>();
  readonly #filling = new Heap<BucketEntry>();
  readonly #full = new Heap<BucketEntry>();

  add(bucket: Bucket): void {
    this.#addAge(bucket);
    this.#addFill(bucket);
  }

  /** Takes a bucket out of every heap. */
  remove({ age, fill }: Bucket): void {
    if (age.place >= 0) this.#ages.remove(age);
    if (fill.place >= 0) (fill.sorted ? this.#full : this.#filling).remove(fill);
  }

  /** A bucket is held by one admission less: where that was the last, it may be forgotten again. */
  release(bucket: Bucket): void {
    if (bucket.age.place < 0) this.#addAge(bucket);
    if (bucket.fill.place < 0) this.#addFill(bucket);
    else this.fuller(bucket);
  }

  /** A bucket may be full earlier than was known: after a refill without a debit, or a refund. */
  fuller(bucket: Bucket): void {
    const { fill } = bucket;
    if (fill.place < 0 || fill.sorted) return;
    fill.key = fullAt(bucket);
    this.#filling.moved(fill);
  }

  /**
   * The buckets to forget for `short` rooms, in order, taken out of the heap that named them, so that `remove` or
   * `add` must follow; null where not so many may be forgotten, and then nothing has changed. Buckets of the request
   * numbered `own` stay.
   */
  victims(
    short: number,
    now_ms: number,
    own: number,
    onlyFull: boolean,
  ): { full: Bucket[]; lossy: Bucket[] } | null {
    const full: Bucket[] = [];
    const lossy: Bucket[] = [];
    while (full.length < short) {
      const bucket = this.#nextFull(now_ms, own);
      if (bucket === null) break;
      full.push(bucket);
    }
    while (!onlyFull && full.length + lossy.length < short) {
      const bucket = this.#nextOld(own, full);
      if (bucket === null) break;
      lossy.push(bucket);
    }
    if (full.length + lossy.length === short) return { full, lossy };
    for (const bucket of [...full, ...lossy]) {
      this.remove(bucket);
      this.add(bucket);
    }
    return null;
  }

  clear(): void {
    for (const heap of [this.#ages, this.#filling, this.#full]) heap.clear();
  }

  #addAge(bucket: Bucket): void {
    bucket.age.key = bucket.used;
    this.#ages.push(bucket.age);
  }

  #addFill(bucket: Bucket): void {
    bucket.fill.key = fullAt(bucket);
    bucket.fill.sorted = false;
    this.#filling.push(bucket.fill);
  }

  /** Moves buckets that may be full by now to those that go first; whether they are is looked up there. */
  #sortOut(now_ms: number): void {
    for (let top = this.#filling.top(); top !== undefined && top.key <= now_ms; top = this.#filling.top()) {
      this.#filling.remove(top);
      top.key = top.bucket.used;
      top.sorted = true;
      this.#full.push(top);
    }
  }

  #nextFull(now_ms: number, own: number): Bucket | null {
    this.#sortOut(now_ms);
    for (let top = this.#full.top(); top !== undefined; top = this.#full.top()) {
      const { bucket } = top;
      const key = fullAt(bucket);
      if (bucket.held > 0 || key > now_ms) {
        this.#full.remove(top);
        top.sorted = false;
        if (bucket.held > 0) continue;
        // It was debited since, or the clock went back.
        top.key = key;
        this.#filling.push(top);
      } else if (top.key !== bucket.used) {
        top.key = bucket.used;
        this.#full.moved(top);
      } else if (bucket.used === own) return null;
      else {
        this.#full.remove(top);
        return bucket;
      }
    }
    return null;
  }

  #nextOld(own: number, chosen: Bucket[]): Bucket | null {
    for (let top = this.#ages.top(); top !== undefined; top = this.#ages.top()) {
      const { bucket } = top;
      if (bucket.held > 0) this.#ages.remove(top);
      else if (top.key !== bucket.used) {
        top.key = bucket.used;
        this.#ages.moved(top);
      } else if (bucket.used === own) return null;
      else {
        this.#ages.remove(top);
        if (!chosen.includes(bucket)) return bucket;
      }
    }
    return null;
  }
}
