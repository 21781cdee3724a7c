import { Zip, ZipDeflate } from "fflate/browser";
import {
  BUNDLE_ENTRIES,
  BUNDLE_FILES,
  BUNDLE_FORMAT,
  BUNDLE_VERSION,
  type BundleFile,
  type BundleManifest,
  MANIFEST_ENTRY,
} from "../../contract/bundle.ts";

/** Bytes that are compressed at once. What compression makes of a file depends on it, so it is a part of the format. */
const PIECE_BYTES = 64 * 1024;
const LEVEL = 6;
/** Every entry's time, read in the writer's own zone: no clock and no zone is in a bundle. */
const EPOCH = () => new Date(1980, 0, 1);
/** The archive is of the plain kind, without its extension for sizes of 2^32 and above. */
export const BUNDLE_MAX_BYTES = 2 ** 32 - 2 ** 20;

type Chunks = AsyncIterable<Uint8Array>;

/** Chunks of any size as pieces of one size, the last excepted; a piece is valid until the next is asked for. */
async function* pieces(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(PIECE_BYTES);
  let filled = 0;
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + PIECE_BYTES - filled);
      piece.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < PIECE_BYTES) continue;
      yield piece;
      filled = 0;
    }
  if (filled > 0) yield piece.subarray(0, filled);
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** What a manifest says besides the kind of its own file. */
export type BundleFacts = Omit<BundleManifest, "format" | "version">;

function manifestText(facts: BundleFacts): string {
  return `${JSON.stringify({ format: BUNDLE_FORMAT, version: BUNDLE_VERSION, ...facts }, null, 2)}\n`;
}

/**
 * A bundle as a ZIP archive, chunk by chunk: never more of it is held than one piece of a file. The same facts and files
 * make the same bytes, wherever and whenever. A file whose facts are null is left out.
 */
export async function* bundleChunks(
  facts: BundleFacts,
  open: (file: BundleFile) => Chunks,
): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    if (error !== null) failure = error;
    else made.push(chunk);
  });
  const entries: [string, Chunks][] = [[MANIFEST_ENTRY, once(manifestText(facts))]];
  for (const file of BUNDLE_FILES)
    if (facts.files[file] !== null) entries.push([BUNDLE_ENTRIES[file], open(file)]);
  function* taken(): Generator<Uint8Array> {
    if (failure !== null) throw failure;
    const ready = made;
    made = [];
    yield* ready;
  }
  for (const [name, chunks] of entries) {
    const entry = new ZipDeflate(name, { level: LEVEL });
    entry.mtime = EPOCH();
    zip.add(entry);
    for await (const piece of pieces(chunks)) {
      // A copy: the compressor keeps what it was given for longer than the next piece takes.
      entry.push(piece.slice());
      yield* taken();
    }
    entry.push(new Uint8Array(0), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
