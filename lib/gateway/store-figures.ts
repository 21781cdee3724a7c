import type { SharedStore } from "../gate/shared/shared-store.ts";
import type { Answer, StoreState } from "../gate/store.ts";

/** What a store tells of a service. Either may reject: what cannot be read is not 0. */
export interface StoreFigures {
  /** Buckets held for it. */
  sizeOf(service: string): Answer<number>;
  stateOf(service: string): Answer<StoreState>;
}

/** One scrape asks for several figures of several services: they are counted once. */
const FRESH_MS = 100;

const NONE: StoreState & { buckets: number } = {
  ledger: { reserved: 0, committed: 0, cancelled: 0, expired: 0, outstanding: 0 },
  evictions: { full: 0, lossy: 0 },
  buckets: 0,
};

/** Figures of a shared store: those of all its processes together (G12). */
export class SharedFigures implements StoreFigures {
  readonly #store: SharedStore;
  #counted_ms = Number.NEGATIVE_INFINITY;
  #counts: ReturnType<SharedStore["counts"]> | undefined;

  constructor(store: SharedStore) {
    this.#store = store;
  }

  /** Counts anew where that was not done a moment ago. So time does its part there, and newer versions are heard of. */
  refresh(): ReturnType<SharedStore["counts"]> {
    const now_ms = performance.now();
    if (this.#counts === undefined || now_ms - this.#counted_ms > FRESH_MS) {
      const counts = this.#store.counts(Date.now());
      this.#counted_ms = now_ms;
      this.#counts = counts;
      // What failed is not kept: the next one asks again.
      counts.catch(() => {
        if (this.#counts === counts) this.#counts = undefined;
      });
    }
    return this.#counts;
  }

  async #of(service: string): Promise<StoreState & { buckets: number }> {
    return (await this.refresh()).get(service) ?? NONE;
  }

  async sizeOf(service: string): Promise<number> {
    return (await this.#of(service)).buckets;
  }

  stateOf(service: string): Promise<StoreState> {
    return this.#of(service);
  }
}
