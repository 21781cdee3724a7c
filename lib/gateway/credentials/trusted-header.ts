import { type Authenticator, type Credential, type Presented, validCredential } from "./authenticator.ts";

/**
 * A header in which a trusted proxy names the client that it has authenticated. From any other peer the header is not
 * there: it would let everybody be anybody (G3).
 */
export class TrustedHeader implements Authenticator {
  readonly #header: string;

  constructor(header: string) {
    this.#header = header.toLowerCase();
  }

  authenticate({ headers, trustedPeer }: Presented): Credential | null {
    const id = headers[this.#header];
    return !trustedPeer || id === undefined || id === "" ? null : validCredential(id);
  }

  challenge(): null {
    return null;
  }
}
