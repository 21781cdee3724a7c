import type { Bucket } from "../../gate/bucket.ts";
import type { ClientKey } from "../../gate/client.ts";
import type { ServiceBuckets } from "../../gate/service-buckets.ts";
import type { Rule } from "../../gate/snapshot.ts";

/** What a client has of these rules, in their order. */
export function presentBuckets(buckets: ServiceBuckets, rules: readonly Rule[], client: ClientKey): Bucket[] {
  const own = buckets.find(client)?.buckets ?? [];
  return rules.flatMap(({ index }) => own[index] ?? []);
}

/** Adds tokens to a bucket, whatever its burst says. */
export function addTokens(bucket: Bucket, tokens: number): void {
  if (bucket.wide === null) bucket.parts += tokens * bucket.rule.per_ms;
  else bucket.wide.num += BigInt(tokens) * bucket.wide.den;
}

/** Fills a bucket up. */
export function fillUp(bucket: Bucket): void {
  if (bucket.wide === null) bucket.parts = bucket.rule.cap;
  else bucket.wide.num = BigInt(bucket.rule.burst) * bucket.wide.den;
}
