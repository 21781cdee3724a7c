const NONE = -1;

/**
 * Finds the group that a bucket already has for an epoch (§3.1). Dispatch in order brings a bucket's epochs one after
 * another, so that its latest group is all there is to look at; only where times go back are the earlier ones indexed.
 */
export class EpochIndex {
  /** Latest group of each bucket, and the time of the latest epoch it has seen. */
  private readonly latest: Int32Array;
  private readonly latest_ms: Float64Array;
  /** The group before, of the same bucket, and the time of each group. */
  private readonly previous: Int32Array;
  private readonly time_ms: Float64Array;
  private readonly byTime = new Map<number, Map<number, number>>();

  constructor(buckets: number, groups: number) {
    this.latest = new Int32Array(buckets).fill(NONE);
    this.latest_ms = new Float64Array(buckets).fill(NONE);
    this.previous = new Int32Array(groups);
    this.time_ms = new Float64Array(groups);
  }

  /** The bucket's group at a time; `fresh`, which is kept, where it has none yet. */
  groupAt(bucket: number, time_ms: number, fresh: number): number {
    if (this.latest_ms[bucket] === time_ms) return this.latest[bucket]!;
    if (this.latest_ms[bucket]! < time_ms) return this.add(bucket, time_ms, fresh);
    const times = this.byTime.get(bucket) ?? this.index(bucket);
    const found = times.get(time_ms);
    if (found !== undefined) return found;
    times.set(time_ms, fresh);
    return fresh;
  }

  private add(bucket: number, time_ms: number, fresh: number): number {
    this.previous[fresh] = this.latest[bucket]!;
    this.time_ms[fresh] = time_ms;
    this.latest[bucket] = fresh;
    this.latest_ms[bucket] = time_ms;
    this.byTime.get(bucket)?.set(time_ms, fresh);
    return fresh;
  }

  /** Indexes the groups that a bucket has so far, once its times go back. */
  private index(bucket: number): Map<number, number> {
    const times = new Map<number, number>();
    for (let group = this.latest[bucket]!; group !== NONE; group = this.previous[group]!)
      times.set(this.time_ms[group]!, group);
    this.byTime.set(bucket, times);
    return times;
  }
}
