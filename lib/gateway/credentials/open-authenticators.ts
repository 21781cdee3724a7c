import type { JSONWebKeySet } from "jose";
import { z } from "zod";
import type { InputResult } from "../../../contract/input.ts";
import { besideSettings, type ReadSettings, readBytes, refusedBy } from "../read-settings.ts";
import type { BearerSettings } from "../settings-schema.ts";
import { ApiKeys } from "./api-keys.ts";
import { type Authenticator, Authenticators } from "./authenticator.ts";
import { BearerToken, type BearerTokenOptions } from "./bearer-token.ts";
import { TrustedHeader } from "./trusted-header.ts";

/** A secret shorter than its digest can be guessed. */
const SECRET_MIN_BYTES = 32;

const keySetSchema = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

function secretOf(text: string, file: string, path: string): InputResult<BearerTokenOptions["key"]> {
  const secret = new TextEncoder().encode(text);
  if (secret.length < SECRET_MIN_BYTES)
    return refusedBy(file, path, `is too short for a secret; expected at least ${SECRET_MIN_BYTES} bytes`);
  return { ok: true, value: { secret } };
}

function keySetOf(bytes: Uint8Array, file: string): InputResult<BearerTokenOptions["key"]> {
  try {
    const parsed = keySetSchema.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8")));
    if (parsed.success) return { ok: true, value: { keys: parsed.data as JSONWebKeySet } };
  } catch {}
  return refusedBy(file, "", 'is no key set; expected { "keys": [ … ] } with at least one key');
}

async function keyOf(
  bearer: BearerSettings,
  read: ReadSettings,
): Promise<InputResult<BearerTokenOptions["key"]>> {
  const { secret, secret_file, keys_file, keys_url } = bearer;
  if (keys_url !== undefined) return { ok: true, value: { url: keys_url } };
  if (secret !== undefined) return secretOf(secret, "settings", "credentials.bearer.secret");
  const file = besideSettings(read, (secret_file ?? keys_file)!);
  const bytes = await readBytes(file);
  if (!bytes.ok) return bytes;
  if (keys_file !== undefined) return keySetOf(bytes.value, file);
  return secretOf(Buffer.from(bytes.value).toString("utf8").trimEnd(), file, "");
}

/** The authenticators of the settings, or every problem with their files. */
export async function openAuthenticators(read: ReadSettings): Promise<InputResult<Authenticators>> {
  const { bearer, api_keys, trusted_header } = read.settings.credentials;
  const kinds: Authenticator[] = [];
  if (trusted_header !== undefined) kinds.push(new TrustedHeader(trusted_header));
  if (api_keys !== undefined)
    kinds.push(new ApiKeys(api_keys.header, new Map(api_keys.keys.map(({ sha256, id }) => [sha256, id]))));
  if (bearer !== undefined) {
    const key = await keyOf(bearer, read);
    if (!key.ok) return key;
    const { algorithms, issuer, audience, claim } = bearer;
    kinds.push(new BearerToken({ key: key.value, algorithms, issuer, audience, claim }));
  }
  return { ok: true, value: new Authenticators(kinds) };
}
