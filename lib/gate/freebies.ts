import type { ClientKey } from "./client.ts";
import type { Answer } from "./store.ts";

/** Counts free requests per service and client (G7). Any call may throw or reject: the gate then fails closed. */
export interface FreebieStore {
  /** How many were counted so far. */
  read(service: string, client: ClientKey): Answer<number>;
  /** Counts one more. Throws where it was not counted. */
  count(service: string, client: ClientKey): Answer<void>;
  /** Takes one back, never below none. */
  giveBack(service: string, client: ClientKey): Answer<void>;
}

/** Free requests in memory. They outlive updates (G8), and are never forgotten: one entry for each client that had some. */
export class MemoryFreebies implements FreebieStore {
  readonly #services = new Map<string, { token: Map<string, number>; ip: Map<string, number> }>();

  read(service: string, { kind, value }: ClientKey): number {
    return this.#services.get(service)?.[kind].get(value) ?? 0;
  }

  count(service: string, client: ClientKey): void {
    this.#set(service, client, this.read(service, client) + 1);
  }

  giveBack(service: string, client: ClientKey): void {
    this.#set(service, client, this.read(service, client) - 1);
  }

  #set(service: string, { kind, value }: ClientKey, count: number): void {
    let counts = this.#services.get(service);
    if (counts === undefined) {
      counts = { token: new Map(), ip: new Map() };
      this.#services.set(service, counts);
    }
    if (count > 0) counts[kind].set(value, count);
    else counts[kind].delete(value);
  }
}
