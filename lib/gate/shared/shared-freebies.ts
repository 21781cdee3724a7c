import type { ClientKey } from "../client.ts";
import type { FreebieStore } from "../freebies.ts";
import { clientText } from "./client-text.ts";
import type { Connection } from "./connection.ts";

/** Free requests of all processes that share a server (G7, G12). Each call rejects where the server cannot be reached. */
export class SharedFreebies implements FreebieStore {
  readonly #connection: Connection;
  readonly #key: string;

  /** `key` is that of the store beside it. */
  constructor(connection: Connection, key: string) {
    this.#connection = connection;
    this.#key = key;
  }

  async read(service: string, client: ClientKey): Promise<number> {
    return Number(await this.#connection.call("HGET", this.#keyOf(service), clientText(client)));
  }

  async count(service: string, client: ClientKey, most: number): Promise<boolean> {
    const args = [clientText(client), String(most)];
    return (await this.#connection.run("freebieCount", this.#keyOf(service), args)) === 1;
  }

  async giveBack(service: string, client: ClientKey): Promise<void> {
    await this.#connection.run("freebieBack", this.#keyOf(service), [clientText(client)]);
  }

  #keyOf(service: string): string {
    return `${this.#key}:free:${service}`;
  }
}
