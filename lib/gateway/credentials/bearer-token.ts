import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from "jose";
import {
  type Authenticator,
  type Credential,
  invalidCredential,
  type Presented,
  validCredential,
} from "./authenticator.ts";

/** How a bearer token is judged. */
export interface BearerTokenOptions {
  /** A shared secret, or public keys: their set, or where it is fetched from. */
  readonly key: { secret: Uint8Array } | { keys: JSONWebKeySet } | { url: string };
  /** The algorithms that are taken, and no other: a token does not choose how it is judged. */
  readonly algorithms: readonly string[];
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  /** The claim that is the client's id. */
  readonly claim: string;
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i;

function keyOf({ key }: BearerTokenOptions): Uint8Array | JWTVerifyGetKey {
  if ("secret" in key) return key.secret;
  return "keys" in key ? createLocalJWKSet(key.keys) : createRemoteJWKSet(new URL(key.url));
}

/** `Authorization: Bearer` with a signed JWT. It must have an end (`exp`), which must not have come. */
export class BearerToken implements Authenticator {
  readonly #key: Uint8Array | JWTVerifyGetKey;
  readonly #claim: string;
  readonly #options: JWTVerifyOptions;

  constructor(options: BearerTokenOptions) {
    const { claim, algorithms, issuer, audience } = options;
    this.#key = keyOf(options);
    this.#claim = claim;
    this.#options = {
      algorithms: [...algorithms],
      requiredClaims: ["exp", claim],
      ...(issuer === undefined ? {} : { issuer }),
      ...(audience === undefined ? {} : { audience }),
    };
  }

  authenticate({ headers: { authorization } }: Presented): Promise<Credential> | Credential | null {
    if (authorization === undefined || !/^Bearer(?: |$)/i.test(authorization)) return null;
    const token = BEARER.exec(authorization)?.[1];
    return token === undefined ? invalidCredential("it is no bearer token") : this.#judge(token);
  }

  async #judge(token: string): Promise<Credential> {
    try {
      const { payload } = await jwtVerify(token, this.#key as JWTVerifyGetKey, this.#options);
      return validCredential(payload[this.#claim]);
    } catch (error) {
      // Whatever went wrong, an unreachable key set included: what could not be validated is no client (G3).
      return invalidCredential(error instanceof errors.JOSEError ? error.code : "it cannot be judged now");
    }
  }

  challenge(realm: string, invalid: boolean): string {
    return `Bearer realm="${realm}"${invalid ? ', error="invalid_token"' : ""}`;
  }
}
