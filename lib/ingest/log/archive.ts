import type { Transform } from "node:stream";
import { createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from "node:zlib";
import type { Packing } from "../../../contract/mapping.ts";

/** A file that cannot be read as what it is: an archive that is cut off or damaged, or of a kind that is not unpacked. */
export class ArchiveProblem extends Error {}

/** Bytes unpacked at once. */
const CHUNK_BYTES = 256 * 1024;
/** No log of ten million requests has a tenth of it; an archive made to fill the disk has more. */
const UNPACKED_MAX_BYTES = 64 * 1024 ** 3;

const starts = (bytes: Uint8Array, ...magic: number[]): boolean =>
  magic.every((value, at) => bytes[at] === value);

/** A frame of zstd that holds nothing to unpack: what packs by several threads begins with one. */
const isSkippable = (head: Uint8Array): boolean =>
  head[0] !== undefined && head[0] >> 4 === 5 && starts(head.subarray(1), 0x2a, 0x4d, 0x18);

/** How the file is packed, by its first bytes; an ArchiveProblem for what is known and not read. */
export function packingOf(head: Uint8Array): Packing {
  if (starts(head, 0x1f, 0x8b)) return "gzip";
  if (starts(head, 0x28, 0xb5, 0x2f, 0xfd) || isSkippable(head)) return "zstd";
  const kinds: [string, number[]][] = [
    ["a ZIP archive", [0x50, 0x4b, 0x03, 0x04]],
    ["an LZ4 archive", [0x04, 0x22, 0x4d, 0x18]],
    ["an xz archive", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
    ["UTF-16 text", [0xff, 0xfe]],
    ["UTF-16 text", [0xfe, 0xff]],
  ];
  // "BZh" alone may begin somebody's name.
  const isBzip2 = starts(head, 0x42, 0x5a, 0x68) && starts(head.subarray(4), 0x31, 0x41, 0x59);
  const kind = isBzip2 ? "a bzip2 archive" : kinds.find(([, magic]) => starts(head, ...magic))?.[0];
  if (kind !== undefined)
    throw new ArchiveProblem(`is ${kind}; expected UTF-8 text, plain or packed by gzip or zstd`);
  return "none";
}

/**
 * Writes a chunk to a decompressor and yields what comes of it, no faster than it is taken: a chunk of zeros may unpack
 * to ten thousand times its size. Returns how many of the bytes were used, and whether the archive ended before the rest.
 * At an end a decompressor says so as a stream does, and never that the bytes were written.
 * @param chunk null: nothing more comes
 */
async function* feed(
  { stream, waker }: Decompressor,
  chunk: Uint8Array | null,
): AsyncGenerator<Uint8Array, { used: number; isOver: boolean }> {
  const before = stream.bytesWritten;
  let isTaken = false;
  if (chunk === null) stream.end();
  else
    stream.write(chunk, () => {
      isTaken = true;
      waker.wake();
    });
  for (;;) {
    // Told before it is looked for: what was written before that is there to be read.
    const { isOver, error } = waker;
    const isDone = isTaken || isOver;
    for (let bytes = stream.read(); bytes !== null; bytes = stream.read()) yield bytes as Uint8Array;
    if (error !== null) throw error;
    if (isDone) return { used: stream.bytesWritten - before, isOver };
    await waker.next();
  }
}

/** What a decompressor told last, and who waits for it. */
class Waker {
  isOver = false;
  error: Error | null = null;
  private isAwake = false;
  private resolve: () => void = () => {};

  constructor(stream: Transform) {
    stream.on("readable", () => this.wake());
    stream.on("end", () => {
      this.isOver = true;
      this.wake();
    });
    stream.on("error", (error) => {
      this.error = error;
      this.wake();
    });
  }

  wake(): void {
    this.isAwake = true;
    this.resolve();
  }

  /** Until something was told since the last time. */
  async next(): Promise<void> {
    if (!this.isAwake)
      await new Promise<void>((resolve) => {
        this.resolve = resolve;
      });
    this.isAwake = false;
  }
}

interface Decompressor {
  stream: Gunzip | ZstdDecompress;
  waker: Waker;
}

const decompressor = (stream: Gunzip | ZstdDecompress): Decompressor => ({
  stream,
  waker: new Waker(stream),
});

/**
 * Members one behind the other are one file to Node's decompressor, and a cut one is an error; but at a zero behind a
 * member it stops as if all were over. Zeros fill up a block of tape; anything behind them is an error.
 */
async function* gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = decompressor(createGunzip({ chunkSize: CHUNK_BYTES }));
  let isOver = false;
  try {
    for await (const chunk of chunks) {
      let rest = chunk;
      if (!isOver) {
        const fed = yield* feed(gunzip, chunk);
        isOver = fed.isOver;
        rest = chunk.subarray(fed.used);
      }
      if (rest.some((byte) => byte !== 0))
        throw new ArchiveProblem("is damaged: something follows behind its gzip archive");
    }
    if (!isOver) yield* feed(gunzip, null);
  } finally {
    gunzip.stream.destroy();
  }
}

/** Node's decompressor stops silently behind the first frame: frames are taken one by one, and what is none is an error. */
async function* unzstd(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let frame: Decompressor | null = null;
  let taken = 0;
  try {
    for await (const chunk of chunks) {
      for (let rest = chunk; rest.length > 0; ) {
        if (frame === null) {
          frame = decompressor(createZstdDecompress({ chunkSize: CHUNK_BYTES }));
          taken = 0;
        }
        const { used, isOver } = yield* feed(frame, rest);
        taken += used;
        rest = rest.subarray(used);
        if (!isOver) continue;
        if (taken === 0) throw new ArchiveProblem("is damaged: something that is no zstd frame follows");
        frame.stream.destroy();
        frame = null;
      }
    }
    if (frame !== null) yield* feed(frame, null);
  } finally {
    frame?.stream.destroy();
  }
}

/** Where a tar archive has its mark. */
const TAR_MARK_AT = 257;

/** What is inside is text: neither one more archive nor many files. */
function refuseArchive(first: Uint8Array, isUnpacked: boolean): void {
  if (isUnpacked && packingOf(first) !== "none")
    throw new ArchiveProblem("is packed twice; expected UTF-8 text, packed once by gzip or zstd");
  if (starts(first.subarray(TAR_MARK_AT), 0x75, 0x73, 0x74, 0x61, 0x72))
    throw new ArchiveProblem("is a tar archive; expected one file of it, as UTF-8 text");
}

async function* inspected(
  chunks: AsyncIterable<Uint8Array>,
  isUnpacked: boolean,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    if (bytes === 0) refuseArchive(chunk, isUnpacked);
    bytes += chunk.length;
    if (isUnpacked && bytes > UNPACKED_MAX_BYTES) throw new ArchiveProblem("unpacks to more than 64 GiB");
    yield chunk;
  }
}

/** The bytes of a file without its packing. A cut-off or damaged archive is an ArchiveProblem, after what came before. */
export async function* unpacked(
  chunks: AsyncIterable<Uint8Array>,
  packing: Packing,
): AsyncGenerator<Uint8Array> {
  if (packing === "none") return yield* inspected(chunks, false);
  try {
    yield* inspected(packing === "gzip" ? gunzipped(chunks) : unzstd(chunks), true);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "Z_BUF_ERROR" || code === "ZSTD_error_srcSize_wrong")
      throw new ArchiveProblem(`is cut off: its ${packing} archive does not end`);
    if (code.startsWith("Z_") || code.startsWith("ZSTD_"))
      throw new ArchiveProblem(`is damaged: ${(error as Error).message} (${packing})`);
    throw error;
  }
}
