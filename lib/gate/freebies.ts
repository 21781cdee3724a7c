import type { ClientKey } from "./client.ts";
import type { StatedFreebies } from "./stated.ts";
import type { Answer } from "./store.ts";

/** Told where a call stands among those of all processes that share a store (G12). */
export type OnPlaced = (order: string) => void;

/** Counts free requests per service and client (G7). Any call may throw or reject: the gate then fails closed. */
export interface FreebieStore {
  /** How many were counted so far. */
  read(service: string, client: ClientKey, onPlaced?: OnPlaced): Answer<number>;
  /** Counts one more, or says false where `most` are counted already. Throws where it was not counted. */
  count(service: string, client: ClientKey, most: number, onPlaced?: OnPlaced): Answer<boolean>;
  /** Takes one back, never below none. */
  giveBack(service: string, client: ClientKey, onPlaced?: OnPlaced): Answer<void>;
}

/** Most clients whose free requests are counted in memory: some hundred bytes each. */
const CLIENTS_MAX = 1_000_000;

/**
 * Free requests in memory. They outlive updates (G8) and are never forgotten, for that would give them anew; where as
 * many clients as fit are counted, another one's is not, and its request fails (G7).
 */
export class MemoryFreebies implements FreebieStore {
  readonly #clients_max: number;
  readonly #services = new Map<string, { token: Map<string, number>; ip: Map<string, number> }>();
  #clients = 0;

  constructor(clients_max = CLIENTS_MAX) {
    this.#clients_max = clients_max;
  }

  /** Clients that had a free request. */
  get clients(): number {
    return this.#clients;
  }

  read(service: string, { kind, value }: ClientKey): number {
    return this.#services.get(service)?.[kind].get(value) ?? 0;
  }

  count(service: string, client: ClientKey, most: number): boolean {
    const count = this.read(service, client);
    if (count >= most) return false;
    if (count === 0 && this.#clients >= this.#clients_max)
      throw new Error(`the free requests of ${this.#clients_max} clients are counted, and no more fit`);
    this.#set(service, client, count + 1);
    if (count === 0) this.#clients += 1;
    return true;
  }

  giveBack(service: string, client: ClientKey): void {
    const count = this.read(service, client);
    if (count === 0) return;
    this.#set(service, client, count - 1);
    if (count === 1) this.#clients -= 1;
  }

  /** Every client with free requests that are counted, for who states what the gate knows (G11). */
  stated(): StatedFreebies[] {
    const stated: StatedFreebies[] = [];
    for (const [service, counts] of this.#services)
      for (const kind of ["token", "ip"] as const)
        for (const [value, count] of counts[kind]) stated.push({ service, client: { kind, value }, count });
    return stated;
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
