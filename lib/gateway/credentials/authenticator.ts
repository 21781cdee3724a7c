import type { IncomingHttpHeaders } from "node:http";
import type { Answer } from "../../gate/store.ts";

/** What a request presents. */
export interface Presented {
  readonly headers: IncomingHttpHeaders;
  /** Whether the peer is one of the trusted proxies (G3). */
  readonly trustedPeer: boolean;
}

/** A credential that was looked at. Only a valid one makes a client of its own (G3, G7). */
export type Credential =
  | { readonly valid: true; readonly id: string }
  | { readonly valid: false; readonly reason: string };

/** One kind of credential. */
export interface Authenticator {
  /** Judges what is presented; null: nothing of this kind is. Never throws or rejects: what cannot be judged is invalid. */
  authenticate(presented: Presented): Answer<Credential | null>;
  /** Challenge for `WWW-Authenticate`; null where a client cannot present this kind by itself. */
  challenge(realm: string, invalid: boolean): string | null;
}

/** Longest id of a credential, in UTF-16 units: it is kept for as long as its buckets are. */
const ID_MAX = 256;

/** A credential that holds; its id must be one that can be kept. */
export const validCredential = (id: unknown): Credential =>
  typeof id === "string" && id !== "" && id.length <= ID_MAX
    ? { valid: true, id }
    : { valid: false, reason: `its id is no text of 1 to ${ID_MAX} characters` };

export const invalidCredential = (reason: string): Credential => ({ valid: false, reason });

/** Several kinds as one: the first valid credential counts; an invalid one does not hide a valid one of another kind. */
export class Authenticators {
  readonly #kinds: readonly Authenticator[];

  constructor(kinds: readonly Authenticator[]) {
    this.#kinds = kinds;
  }

  /** Whether no kind of credential is known, so that none can be valid. */
  get areNone(): boolean {
    return this.#kinds.length === 0;
  }

  /** Null: nothing is presented. Answers at once where no kind has to wait. */
  authenticate(presented: Presented): Answer<Credential | null> {
    return this.#from(0, presented, null);
  }

  #from(start: number, presented: Presented, worst: Credential | null): Answer<Credential | null> {
    let found = worst;
    for (let index = start; index < this.#kinds.length; index += 1) {
      const answer = this.#kinds[index]!.authenticate(presented);
      if (answer instanceof Promise)
        return answer.then((credential) =>
          credential?.valid ? credential : this.#from(index + 1, presented, found ?? credential),
        );
      if (answer?.valid) return answer;
      found ??= answer;
    }
    return found;
  }

  /** Challenges of all kinds for a service. There is always one: `WWW-Authenticate` may not be empty. */
  challenges(service: string, invalid: boolean): string[] {
    const realm = service.replace(/[^\x20-\x7e]|["\\%]/gu, encodeURIComponent);
    const all = this.#kinds.flatMap((kind) => kind.challenge(realm, invalid) ?? []);
    return all.length > 0 ? all : [`Bearer realm="${realm}"`];
  }
}
