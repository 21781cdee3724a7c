const HEAD_BYTES = 64 * 1024;
/** The first bytes of gzip and of zstd. */
const PACKED = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
];
const FIELDS = ["req_id", "tenant", "arrival_ms", "cost", "mode"];

/** The first line of a text that is not empty; null where there is none, or it does not end in it. */
function firstLine(text: string, isWhole: boolean): string | null {
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  if (!isWhole) lines.pop();
  return lines.find((line) => line.trim() !== "") ?? null;
}

/**
 * Whether a file is anything but a plain canonical stream (§1.3), by its first bytes, here and without the server: what
 * judges in the browser reads no log. A stream whose first line is only a bad one counts as canonical.
 */
export async function looksLikeLog(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (PACKED.some((magic) => magic.every((byte, at) => bytes[at] === byte))) return true;
  const line = firstLine(new TextDecoder().decode(bytes), file.size <= HEAD_BYTES);
  if (line === null) return false;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return true;
    // An empty object is a bad line of a stream: nothing in it could be mapped.
    return Object.keys(value).length > 0 && !FIELDS.some((field) => Object.hasOwn(value, field));
  } catch {
    return !line.trimStart().startsWith("{");
  }
}
