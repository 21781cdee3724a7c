import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { asFileProblem, FileProblem } from "./file-problem.ts";

/** Names of files that are being written; a sweep removes what a killed process left. */
export const TEMPORARY_PREFIX = ".writing-";

export interface WrittenFile {
  sha256: string;
  bytes: number;
}

/** Makes a rename durable: the directory's own entry is what must reach the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  await directory.sync().finally(() => directory.close());
}

/** Makes a folder with those above it; each new one is an entry that must reach the disk too. */
export async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  const above = dirname(resolve(first));
  let made = resolve(path);
  do {
    made = dirname(made);
    await syncDirectory(made);
  } while (made !== above && made !== dirname(made));
}

async function writeChunks(
  path: string,
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<WrittenFile> {
  const hash = createHash("sha256");
  const bytes = await writeDurably(path, chunks, (piece) => hash.update(piece));
  return { sha256: hash.digest("hex"), bytes };
}

async function writeWhole(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten;
}

/** Bytes after which the disk is told to begin, unless it is at work: at the end there is then little left to wait for. */
const SYNC_EVERY_BYTES = 16 * 1024 * 1024;

/**
 * Writes a new file and syncs it; returns how many bytes it has. One piece is written while the next is made: a piece
 * must stay as it is until the one after the next is asked for.
 */
async function writeDurably(
  path: string,
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  onPiece: (piece: Uint8Array) => void = () => {},
): Promise<number> {
  let bytes = 0;
  let synced = 0;
  let writing = Promise.resolve();
  let syncing: Promise<void> | null = null;
  const sync = async (): Promise<void> => {
    await file.datasync();
    syncing = null;
  };
  const file = await open(path, "wx");
  try {
    for await (const chunk of chunks) {
      const piece = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      onPiece(piece);
      bytes += piece.length;
      await writing;
      writing = writeWhole(file, piece);
      // What fails is told where it is awaited.
      writing.catch(() => {});
      if (syncing !== null || bytes - synced < SYNC_EVERY_BYTES) continue;
      synced = bytes;
      syncing = sync();
      syncing.catch(() => {});
    }
    await writing;
    await syncing;
    await file.sync();
  } finally {
    await Promise.allSettled([writing, syncing]);
    await file.close();
  }
  return bytes;
}

/**
 * Where a rename really has to go: to the file that a link leads to, not in the link's place. A device or a pipe is
 * refused: renamed over, `/dev/null` would be gone from the machine.
 */
async function fileBehind(path: string): Promise<string> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (real === null) return path;
  const found = await stat(real);
  if (!found.isFile() && !found.isDirectory())
    throw new FileProblem(path, "is no file but a device or the like; expected a place for a file");
  return real;
}

/**
 * Writes a file whole or not at all: to a temporary name beside it, synced, renamed, and the directory synced.
 * `place` decides the final path once the content is known, where it is not `path`. Errors of the file system are
 * FileProblems.
 */
export async function writeFileAtomic(
  path: string,
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  place?: (written: WrittenFile) => string,
): Promise<WrittenFile> {
  return inPlace(path, async (temporary) => {
    const written = await writeChunks(temporary, chunks);
    return [written, place?.(written)];
  });
}

/** The same for content whose digest the caller knows: it is not hashed. Returns how many bytes were written. */
export async function writeBlocksAtomic(path: string, blocks: Iterable<Uint8Array>): Promise<number> {
  return inPlace(path, async (temporary) => [await writeDurably(temporary, blocks)]);
}

/** Has a file written beside its place, then puts it there, or where the writer says it belongs. */
async function inPlace<T>(
  path: string,
  write: (temporary: string) => Promise<[written: T, place?: string | undefined]>,
): Promise<T> {
  let temporary: string | undefined;
  try {
    const target = await fileBehind(path);
    await makeDirectory(dirname(target));
    temporary = join(dirname(target), `${TEMPORARY_PREFIX}${randomBytes(8).toString("hex")}`);
    const [written, place] = await write(temporary);
    const final = place ?? target;
    await makeDirectory(dirname(final));
    await rename(temporary, final);
    await syncDirectory(dirname(final));
    return written;
  } catch (error) {
    // Where the folder itself is at fault there is nothing to remove; what went wrong first is what is told.
    if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => {});
    throw asFileProblem(path, error);
  }
}
