import type { MemoryFreebies } from "./freebies.ts";
import type { Gate } from "./gate.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { Statement } from "./stated.ts";

/**
 * What a gate states of itself now; null where that is more than `most` buckets, admissions and clients with free
 * requests: copying them takes about 0.1 µs each, in which nothing is decided.
 * @param freebies null: they are counted elsewhere, and are told with each decision
 */
export function statementOf(
  gate: Gate,
  store: MemoryStore,
  freebies: MemoryFreebies | null,
  at: number,
  most: number,
): Statement | null {
  store.moveOn(at);
  const buckets = gate.config.services.reduce((sum, { name }) => sum + store.sizeOf(name), 0);
  if (buckets + store.remembered + (freebies?.clients ?? 0) > most) return null;
  return {
    ...{ seq: gate.seq, at, version: gate.version, config: gate.config, ...store.state() },
    buckets: store.statedBuckets(),
    admissions: store.statedAdmissions(),
    freebies: freebies?.stated() ?? [],
  };
}
