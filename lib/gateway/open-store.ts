import type { FreebieStore } from "../gate/freebies.ts";
import { MemoryFreebies } from "../gate/freebies.ts";
import { MemoryStore } from "../gate/memory-store.ts";
import type { Answer, Store } from "../gate/store.ts";
import type { Staged } from "../gate/update.ts";
import type { StoreFigures } from "./metrics.ts";

/** A store as the server uses it. */
export interface OpenedStore {
  readonly kind: "memory" | "shared";
  readonly store: Store<boolean>;
  readonly freebies: FreebieStore;
  readonly figures: StoreFigures;
  /** Whether it, or its freebies, may answer later. */
  readonly waits: boolean;
  /** Lets time do its part: what is due expires (G4). */
  moveOn(now_ms: number): void;
  /** Why it cannot be used now; null: it can. */
  unready(): string | null;
  close(): Answer<void>;
}

/** Buckets, admissions and freebies of this process. */
export function openMemoryStore({ snapshot }: Staged): OpenedStore {
  const store = new MemoryStore(snapshot);
  return {
    kind: "memory",
    store,
    freebies: new MemoryFreebies(),
    figures: store,
    waits: false,
    moveOn: (now_ms) => store.moveOn(now_ms),
    unready: () => null,
    close: () => {},
  };
}
