/**
 * Remembers at most `bound` of the latest answers. Two generations: when the young one has half the bound, it becomes
 * the old one and the old one is dropped, so that no answer costs more than two look-ups and nothing is ever sorted.
 */
export class Recent<V> {
  readonly #half: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(bound: number) {
    this.#half = Math.max(1, Math.floor(bound / 2));
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
