import { hash } from "node:crypto";
import {
  type Authenticator,
  type Credential,
  invalidCredential,
  type Presented,
  validCredential,
} from "./authenticator.ts";

/** SHA-256 of an API key, in hex. Keys are long and random, so that no slow hash is needed to keep them secret. */
export const apiKeyDigest = (key: string): string => hash("sha256", key, "hex");

/**
 * API keys in a header of their own. Only digests are kept, and looked up by digest: how long that takes tells nothing
 * of a key.
 */
export class ApiKeys implements Authenticator {
  readonly #header: string;
  readonly #byDigest: ReadonlyMap<string, string>;

  /** `byDigest`: the client's id by `apiKeyDigest` of its key. */
  constructor(header: string, byDigest: ReadonlyMap<string, string>) {
    this.#header = header.toLowerCase();
    this.#byDigest = byDigest;
  }

  authenticate({ headers }: Presented): Credential | null {
    const key = headers[this.#header];
    if (key === undefined) return null;
    const id = typeof key === "string" ? this.#byDigest.get(apiKeyDigest(key)) : undefined;
    return id === undefined ? invalidCredential("the key is not known") : validCredential(id);
  }

  challenge(realm: string): string {
    return `ApiKey realm="${realm}", header="${this.#header}"`;
  }
}
