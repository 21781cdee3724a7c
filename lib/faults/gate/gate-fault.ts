import type { FreebieStore } from "../../gate/freebies.ts";
import { MemoryStore } from "../../gate/memory-store.ts";
import { ServiceBuckets } from "../../gate/service-buckets.ts";
import type { Snapshot } from "../../gate/snapshot.ts";
import type { Statement } from "../../gate/stated.ts";

/** A known fault of the live limiter: what it brings in place of a part of the gate; everything else is the gate's own. */
export interface GateFault {
  readonly id: string;
  /** The clause it breaks. */
  readonly clause: string;
  /** A few words. */
  readonly title: string;
  /** One sentence: what goes wrong. */
  readonly summary: string;
  readonly Buckets?: typeof ServiceBuckets;
  readonly Store?: typeof MemoryStore;
  /** Freebies in place of honest ones. */
  freebies?(honest: FreebieStore): FreebieStore;
  /** What a refused update does to the store (G8). */
  refused?(store: MemoryStore, config: unknown, now_ms: number): void;
  /** What the gate states of itself where a file of its log begins (G11). */
  stated?(honest: Statement): Statement;
}

/** What a gate with a fault, or an honest one, is made of. */
export interface GateParts {
  readonly store: MemoryStore;
  readonly freebies: FreebieStore;
  refused(config: unknown, now_ms: number): void;
  stated(honest: Statement): Statement;
}

/** The parts of a gate; `null`: an honest one. */
export function gateParts(fault: GateFault | null, snapshot: Snapshot, freebies: FreebieStore): GateParts {
  const { Buckets = ServiceBuckets, Store = MemoryStore } = fault ?? {};
  const store = new Store(snapshot, Buckets);
  return {
    store,
    freebies: fault?.freebies?.(freebies) ?? freebies,
    refused: (config, now_ms) => fault?.refused?.(store, config, now_ms),
    stated: (honest) => fault?.stated?.(honest) ?? honest,
  };
}
