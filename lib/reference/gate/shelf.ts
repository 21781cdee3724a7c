import type { Bucket } from "./bucket.ts";

/** All buckets, by service, client and rule; those of a service in the order of their last use (G6). */
export class Shelf {
  readonly #services = new Map<string, { byClient: Map<string, Map<string, Bucket>>; used: Set<Bucket> }>();

  #of(service: string) {
    const known = this.#services.get(service);
    if (known !== undefined) return known;
    const fresh = { byClient: new Map<string, Map<string, Bucket>>(), used: new Set<Bucket>() };
    this.#services.set(service, fresh);
    return fresh;
  }

  find(service: string, rule: string, client: string): Bucket | undefined {
    return this.#services.get(service)?.byClient.get(client)?.get(rule);
  }

  /** A new bucket; it has its place among the others once it is touched. */
  put(bucket: Bucket): void {
    const { byClient } = this.#of(bucket.service);
    const own = byClient.get(bucket.client) ?? new Map<string, Bucket>();
    byClient.set(bucket.client, own.set(bucket.rule, bucket));
  }

  remove(bucket: Bucket): void {
    const { byClient, used } = this.#of(bucket.service);
    used.delete(bucket);
    const own = byClient.get(bucket.client)!;
    own.delete(bucket.rule);
    if (own.size === 0) byClient.delete(bucket.client);
  }

  /** These were used now, in this order. */
  touch(buckets: readonly Bucket[]): void {
    for (const bucket of buckets) {
      const { used } = this.#of(bucket.service);
      used.delete(bucket);
      used.add(bucket);
    }
  }

  /** Buckets of a service, the least recently used first. */
  inOrderOfUse(service: string): Iterable<Bucket> {
    return this.#services.get(service)?.used ?? [];
  }

  /** Sorts the buckets of a service anew, since what decides between equals has changed. */
  reorder(service: string, compare: (a: Bucket, b: Bucket) => number): void {
    const known = this.#services.get(service);
    if (known !== undefined) known.used = new Set([...known.used].sort(compare));
  }

  sizeOf(service: string): number {
    return this.#services.get(service)?.used.size ?? 0;
  }

  *[Symbol.iterator](): Generator<Bucket> {
    for (const { used } of this.#services.values()) yield* used;
  }
}
