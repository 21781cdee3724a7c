import { createHash } from "node:crypto";

/** Node's SHA-256 in the form the reference asks for: the reference itself imports no library (§5.1). */
export function nodeSha256(): { update(bytes: Uint8Array): void; hex(): string } {
  const hash = createHash("sha256");
  return {
    update(bytes) {
      hash.update(bytes);
    },
    hex: () => hash.digest("hex"),
  };
}

/** 64 hex digits of the SHA-256 of bytes in memory. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
