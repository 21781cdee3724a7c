import type { ClientKey } from "./client.ts";

/**
 * One thing after the other for each client, in the order of arrival; different clients never wait for each other (G5).
 * A client's queue is dropped as soon as nobody is in it.
 */
export class KeyedOrder {
  readonly #tails = { token: new Map<string, Promise<void>>(), ip: new Map<string, Promise<void>>() };

  /** Clients with something under way. */
  get size(): number {
    return this.#tails.token.size + this.#tails.ip.size;
  }

  /** Runs `work` when all earlier work of this client is over, however that ended. */
  async run<T>({ kind, value }: ClientKey, work: () => Promise<T>): Promise<T> {
    const tails = this.#tails[kind];
    const before = tails.get(value);
    const { promise: tail, resolve } = Promise.withResolvers<void>();
    tails.set(value, tail);
    try {
      if (before !== undefined) await before;
      return await work();
    } finally {
      if (tails.get(value) === tail) tails.delete(value);
      resolve();
    }
  }
}
