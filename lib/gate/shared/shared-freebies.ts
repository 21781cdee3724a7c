import type { ClientKey } from "../client.ts";
import type { FreebieStore, OnPlaced } from "../freebies.ts";
import { clientText } from "./client-text.ts";
import { type Connection, type ScriptName, StoreUnavailable } from "./connection.ts";

/** Free requests of all processes that share a server (G7, G12). Each call rejects where the server cannot be reached. */
export class SharedFreebies implements FreebieStore {
  readonly #connection: Connection;
  readonly #key: string;

  /** `key` is that of the store beside it. */
  constructor(connection: Connection, key: string) {
    this.#connection = connection;
    this.#key = key;
  }

  read(service: string, client: ClientKey, onPlaced?: OnPlaced): Promise<number> {
    return this.#run("freebieRead", [service, clientText(client)], onPlaced);
  }

  async count(service: string, client: ClientKey, most: number, onPlaced?: OnPlaced): Promise<boolean> {
    return (await this.#run("freebieCount", [service, clientText(client), String(most)], onPlaced)) === 1;
  }

  async giveBack(service: string, client: ClientKey, onPlaced?: OnPlaced): Promise<void> {
    await this.#run("freebieBack", [service, clientText(client)], onPlaced);
  }

  async #run(script: ScriptName, args: readonly string[], onPlaced?: OnPlaced): Promise<number> {
    const [found, order] = (await this.#connection.run(script, this.#key, args)) as [string, string];
    // Nothing is live there: the store beside this tells it again with its next call, and counts are in order from then on.
    if (order === undefined) throw new StoreUnavailable("the server has lost what it held");
    onPlaced?.(order);
    return Number(found);
  }
}
