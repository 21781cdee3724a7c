import { Readable } from "node:stream";
import { createGunzip, createZstdDecompress, type ZstdDecompress } from "node:zlib";
import type { Packing } from "../../../contract/mapping.ts";

/** A file that cannot be read as what it is: an archive that is cut off or damaged, or of a kind that is not unpacked. */
export class ArchiveProblem extends Error {}

/** Bytes unpacked at once. */
const CHUNK_BYTES = 256 * 1024;
/** No log of ten million requests has a tenth of it; an archive made to fill the disk has more. */
const UNPACKED_MAX_BYTES = 64 * 1024 ** 3;

const starts = (bytes: Uint8Array, ...magic: number[]): boolean =>
  magic.every((value, at) => bytes[at] === value);

/** How the file is packed, by its first bytes; an ArchiveProblem for what is known and not read. */
export function packingOf(head: Uint8Array): Packing {
  if (starts(head, 0x1f, 0x8b)) return "gzip";
  if (starts(head, 0x28, 0xb5, 0x2f, 0xfd)) return "zstd";
  const kinds: [string, number[]][] = [
    ["a ZIP archive", [0x50, 0x4b, 0x03, 0x04]],
    ["a bzip2 archive", [0x42, 0x5a, 0x68]],
    ["an xz archive", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
    ["UTF-16 text", [0xff, 0xfe]],
    ["UTF-16 text", [0xfe, 0xff]],
  ];
  const kind = kinds.find(([, magic]) => starts(head, ...magic))?.[0];
  if (kind !== undefined)
    throw new ArchiveProblem(`is ${kind}; expected UTF-8 text, plain or packed by gzip or zstd`);
  return "none";
}

async function* gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Members one behind the other are one file to it; a cut member, or other bytes behind one, are an error.
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const source = Readable.from(chunks, { objectMode: false });
  source.on("error", (error) => gunzip.destroy(error));
  yield* source.pipe(gunzip);
}

/**
 * Writes to one frame's decompressor: how many of the bytes the frame took, and whether it is at its end. Behind the
 * end the decompressor says so as a stream does, and never that the bytes were written.
 */
function feed(frame: ZstdDecompress, bytes: Uint8Array): Promise<{ used: number; isOver: boolean }> {
  const before = frame.bytesWritten;
  return new Promise((resolve, reject) => {
    const done = (isOver: boolean) => {
      frame.off("error", reject);
      frame.off("end", onEnd);
      resolve({ used: frame.bytesWritten - before, isOver });
    };
    const onEnd = () => done(true);
    frame.once("error", reject);
    frame.once("end", onEnd);
    frame.write(bytes, () => done(false));
  });
}

/** Ends a frame behind which nothing comes; rejects where it is not whole. */
function end(frame: ZstdDecompress): Promise<void> {
  return new Promise((resolve, reject) => {
    frame.once("error", reject);
    frame.once("end", resolve);
    frame.end();
  });
}

/** Node's decompressor stops silently behind the first frame: frames are taken one by one, and what is none is an error. */
async function* unzstd(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = [];
  let frame: ZstdDecompress | null = null;
  let taken = 0;
  try {
    for await (const chunk of chunks) {
      for (let rest = chunk; rest.length > 0; ) {
        if (frame === null) {
          frame = createZstdDecompress({ chunkSize: CHUNK_BYTES });
          frame.on("data", (bytes: Uint8Array) => out.push(bytes));
          taken = 0;
        }
        const { used, isOver } = await feed(frame, rest);
        taken += used;
        yield* out.splice(0);
        rest = rest.subarray(used);
        if (!isOver) continue;
        if (taken === 0) throw new ArchiveProblem("is damaged: something that is no zstd frame follows");
        frame.destroy();
        frame = null;
      }
    }
    if (frame !== null) {
      await end(frame);
      yield* out.splice(0);
    }
  } finally {
    frame?.destroy();
  }
}

async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > UNPACKED_MAX_BYTES) throw new ArchiveProblem("unpacks to more than 64 GiB");
    yield chunk;
  }
}

/** The bytes of a file without its packing. A cut-off or damaged archive is an ArchiveProblem, after what came before. */
export async function* unpacked(
  chunks: AsyncIterable<Uint8Array>,
  packing: Packing,
): AsyncGenerator<Uint8Array> {
  if (packing === "none") return yield* chunks;
  try {
    yield* bounded(packing === "gzip" ? gunzipped(chunks) : unzstd(chunks));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "Z_BUF_ERROR" || code === "ZSTD_error_srcSize_wrong")
      throw new ArchiveProblem(`is cut off: its ${packing} archive does not end`);
    if (code.startsWith("Z_") || code.startsWith("ZSTD_"))
      throw new ArchiveProblem(`is damaged: ${(error as Error).message} (${packing})`);
    throw error;
  }
}
