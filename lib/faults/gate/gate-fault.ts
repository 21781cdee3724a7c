import { type FreebieStore, MemoryFreebies } from "../../gate/freebies.ts";
import { MemoryStore } from "../../gate/memory-store.ts";
import type { Snapshot } from "../../gate/snapshot.ts";

/** The parts of a gate that a fault may bring its own of. */
export interface GateParts {
  readonly store: MemoryStore;
  readonly freebies: FreebieStore;
  /** What a refused update does to the gate (G8): nothing. */
  refused(config: unknown, now_ms: number): void;
}

/** A known fault of the live limiter. */
export interface GateFault {
  readonly id: string;
  /** The clause it breaks. */
  readonly clause: string;
  /** A few words. */
  readonly title: string;
  /** One sentence: what goes wrong. */
  readonly summary: string;
  /** The parts of a gate that has the fault; `freebies` are honest ones, which may fail. */
  parts(snapshot: Snapshot, freebies: FreebieStore): GateParts;
}

/** The parts of an honest gate. */
export function honestParts(snapshot: Snapshot, freebies: FreebieStore = new MemoryFreebies()): GateParts {
  return { store: new MemoryStore(snapshot), freebies, refused: () => {} };
}
