import {
  BUNDLE_ENTRIES,
  BUNDLE_FILE_MAX_BYTES,
  BUNDLE_FILES,
  type BundleFile,
  type BundleManifest,
  bundleManifestSchema,
  MANIFEST_ENTRY,
} from "../../contract/bundle.ts";
import { fieldPath } from "../../contract/input.ts";
import { BundleProblem } from "./bundle-problem.ts";
import { packedBytes, readDirectory, type ZipEntry } from "./zip-directory.ts";

const MANIFEST_MAX_BYTES = 1024 * 1024;
/** Packed bytes handed to the inflater at once: they hold at most 66 MB. */
const PIECE_BYTES = 64 * 1024;

/** A bundle whose manifest was read; its files are read when they are asked for. */
export interface OpenBundle {
  manifest: BundleManifest;
  /** A file whole. */
  bytesOf(file: BundleFile): Promise<Uint8Array>;
  /** A file in passing. */
  chunksOf(file: BundleFile): AsyncGenerator<Uint8Array>;
}

/** The bytes of a blob in chunks; not every browser lets a stream be iterated. */
export async function* blobChunks(blob: Blob): AsyncGenerator<Uint8Array> {
  yield* streamChunks(blob.stream());
}

async function* streamChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Whoever stops early leaves nothing that goes on; a stream that broke has nothing left to cancel.
    await reader.cancel().catch(() => {});
  }
}

/** Small pieces, so that a piece that inflates a thousandfold is still small. */
function small(): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  return new TransformStream({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES)
        controller.enqueue(chunk.slice(at, at + PIECE_BYTES));
    },
  });
}

/** An entry's bytes; more, fewer or others than the directory says are a problem, and never kept. */
async function* inflated(blob: Blob, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const packed = await packedBytes(blob, entry);
  const name = JSON.stringify(entry.name);
  let bytes = 0;
  const chunks =
    entry.method === 0
      ? blobChunks(packed)
      : streamChunks(
          packed.stream().pipeThrough(small()).pipeThrough(new DecompressionStream("deflate-raw")),
        );
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > entry.bytes) break;
      yield chunk;
    }
  } catch (error) {
    if (error instanceof BundleProblem) throw error;
    throw new BundleProblem(`holds ${name} cut off or broken`);
  }
  if (bytes !== entry.bytes)
    throw new BundleProblem(
      `says that ${name} holds ${entry.bytes} bytes, but it holds ${bytes > entry.bytes ? "more" : `${bytes}`}`,
    );
}

async function whole(blob: Blob, entry: ZipEntry): Promise<Uint8Array> {
  const bytes = new Uint8Array(entry.bytes);
  let at = 0;
  for await (const chunk of inflated(blob, entry)) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function limited(entry: ZipEntry | undefined, name: string, most: number): ZipEntry {
  if (entry === undefined) throw new BundleProblem(`holds no ${name}`);
  if (entry.bytes > most)
    throw new BundleProblem(`holds ${name} of ${entry.bytes} bytes; expected at most ${most}`);
  return entry;
}

function readManifest(bytes: Uint8Array): BundleManifest {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new BundleProblem(`has a ${MANIFEST_ENTRY} that is no JSON: ${(error as Error).message}`);
  }
  const parsed = bundleManifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = fieldPath(issue?.path ?? []);
  throw new BundleProblem(
    `has a ${MANIFEST_ENTRY} that is not of this format: ${path} ${issue?.message ?? ""}`,
  );
}

/** Every entry is one that the manifest names, of the size that it says. */
function checkEntries(manifest: BundleManifest, entries: ReadonlyMap<string, ZipEntry>): void {
  const expected = new Set<string>([MANIFEST_ENTRY]);
  for (const file of BUNDLE_FILES) {
    const facts = manifest.files[file];
    if (facts === null) continue;
    const name = BUNDLE_ENTRIES[file];
    expected.add(name);
    const entry = limited(entries.get(name), name, BUNDLE_FILE_MAX_BYTES[file]);
    if (entry.bytes !== facts.bytes)
      throw new BundleProblem(`has a ${name} of ${entry.bytes} bytes; its manifest says ${facts.bytes}`);
  }
  for (const name of entries.keys())
    if (!expected.has(name))
      throw new BundleProblem(`holds ${JSON.stringify(name)}, which is no file of a bundle`);
}

/**
 * Opens a bundle (docs/bundle.md), in Node or in a browser. A file that is none, or is broken, or tries to be more than it
 * says, is a BundleProblem. Digests are not judged here: what a file really is comes from its bytes.
 */
export async function openBundle(blob: Blob): Promise<OpenBundle> {
  const entries = await readDirectory(blob);
  const manifest = readManifest(
    await whole(blob, limited(entries.get(MANIFEST_ENTRY), MANIFEST_ENTRY, MANIFEST_MAX_BYTES)),
  );
  checkEntries(manifest, entries);
  const entryOf = (file: BundleFile): ZipEntry => {
    const entry = entries.get(BUNDLE_ENTRIES[file]);
    if (entry === undefined || manifest.files[file] === null)
      throw new BundleProblem(`holds no ${BUNDLE_ENTRIES[file]}`);
    return entry;
  };
  return {
    manifest,
    bytesOf: async (file) => whole(blob, entryOf(file)),
    chunksOf: (file) => inflated(blob, entryOf(file)),
  };
}
