/** The first lines of a chosen file as people can read them; of a ZIP archive, and of what cannot be unpacked here, none. */
export interface FirstLines {
  lines: string[];
  /** A round's bundle, or another archive of several files: no stream. */
  isZip: boolean;
}

const HEAD_BYTES = 4096;
const LINES = 5;
const NONE: FirstLines = { lines: [], isZip: false };

const begins = (bytes: Uint8Array, ...magic: number[]) => magic.every((byte, at) => bytes[at] === byte);

/** What the first bytes of a gzip archive unpack to; it is cut off, of which the unpacker complains only behind them. */
async function gunzipped(head: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([head]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    const { value } = await reader.read();
    return new TextDecoder().decode(value);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** The first lines of a text. */
export const linesOf = (text: string): FirstLines => ({
  lines: text.split("\n").slice(0, LINES),
  isZip: false,
});

/** Reads the beginning of a file. */
export async function firstLines(file: Blob): Promise<FirstLines> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (begins(head, 0x50, 0x4b, 0x03, 0x04)) return { lines: [], isZip: true };
  if (begins(head, 0x28, 0xb5, 0x2f, 0xfd)) return NONE;
  if (begins(head, 0x1f, 0x8b)) return gunzipped(head).then(linesOf, () => NONE);
  return linesOf(new TextDecoder().decode(head));
}
