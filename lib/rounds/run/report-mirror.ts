import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

const CHUNK_BYTES = 1024 * 1024;
const COMMA = 0x2c;

/**
 * SHA-256 of the figures that a report's file begins with, where these are its first `bytes` bytes: a text that ends
 * with a brace, in whose place the report goes on with a comma. Where it is that of the canonical text that the
 * reference told, the report has these very figures, and nothing of it need be parsed to be compared. Null where the
 * file is not built so, which says nothing yet: JSON has many layouts.
 */
export async function figuresDigest(path: string, bytes: number): Promise<string | null> {
  const hash = createHash("sha256");
  const file = await open(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let left = bytes; left > 0; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(left, CHUNK_BYTES));
      if (bytesRead === 0) return null;
      left -= bytesRead;
      if (left === 0 && buffer[bytesRead - 1] !== COMMA) return null;
      hash.update(buffer.subarray(0, left === 0 ? bytesRead - 1 : bytesRead));
    }
  } finally {
    await file.close();
  }
  return hash.update("}").digest("hex");
}

/** Bytes behind the figures in which a report of ours says the rest: who decided, from what, and the checksum. */
const REST_MOST_BYTES = 1 << 20;
const FIGURES = ["counts", "decisions", "dispatch_order", "per_tenant", "totals"];

/** The fields behind the figures of a report whose file begins with `bytes` bytes of them; null where it is not built so. */
export async function fieldsBehind(path: string, bytes: number): Promise<Record<string, unknown> | null> {
  const file = await open(path, "r");
  try {
    const length = (await file.stat()).size - bytes;
    if (length < 0 || length > REST_MOST_BYTES) return null;
    const rest = Buffer.alloc(length);
    await file.read(rest, 0, length, bytes);
    const fields = JSON.parse(`{${new TextDecoder("utf-8", { fatal: true }).decode(rest)}`);
    // Of a key that is there twice the last counts: the figures before would not be the report's.
    return FIGURES.some((part) => Object.hasOwn(fields, part)) ? null : fields;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  } finally {
    await file.close();
  }
}
