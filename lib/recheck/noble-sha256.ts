import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Hasher } from "../reference/canonical-json.ts";

/** SHA-256 piece by piece wherever the code runs: a browser's own takes a whole file at once. */
export function nobleSha256(): Hasher {
  const hash = sha256.create();
  return { update: (bytes) => void hash.update(bytes), hex: () => bytesToHex(hash.digest()) };
}
