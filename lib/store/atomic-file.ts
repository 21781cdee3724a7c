import { createHash, randomBytes } from "node:crypto";
import { rmSync, writeSync } from "node:fs";
import { type FileHandle, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
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

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return false;
      throw error;
    },
  );
}

/**
 * Makes a folder with those above it; each new one is an entry that must reach the disk too. One by one: where a file
 * system takes none (/proc), to have Node make all of them never ends.
 */
export async function makeDirectory(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path); !(await isFolder(at)); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    const error = await mkdir(folder).catch((thrown: NodeJS.ErrnoException) => thrown);
    if (error === undefined) await syncDirectory(dirname(folder));
    // Somebody else may have made it meanwhile.
    else if (!(await isFolder(folder))) throw error;
  }
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
const SYNC_EVERY_BYTES = 4 * 1024 * 1024;

/** Brings a file to the disk while it is written. */
class EarlySync {
  private readonly file: FileHandle;
  private unsynced = 0;
  private syncing: Promise<void> | null = null;

  constructor(file: FileHandle) {
    this.file = file;
  }

  /** Told how many bytes more were written; whether it is time to hear from the disk. What fails is told at the end. */
  wrote(bytes: number): boolean {
    this.unsynced += bytes;
    if (this.unsynced < SYNC_EVERY_BYTES) return false;
    this.unsynced = 0;
    this.syncing ??= this.sync();
    this.syncing.catch(() => {});
    return true;
  }

  /** All that was written is on the disk. */
  async finish(): Promise<void> {
    await this.syncing;
    await this.file.sync();
  }

  /** It is at work no more. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.syncing]);
  }

  private async sync(): Promise<void> {
    await this.file.datasync();
    this.syncing = null;
  }
}

/**
 * Writes a new file and syncs it; returns how many bytes it has. One piece is written while the next is made: a piece
 * must stay as it is until the one after the next is asked for.
 */
async function writeDurably(
  path: string,
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  onPiece: (piece: Uint8Array) => void,
): Promise<number> {
  let bytes = 0;
  let writing = Promise.resolve();
  const file = await open(path, "wx");
  const disk = new EarlySync(file);
  try {
    for await (const chunk of chunks) {
      const piece = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      onPiece(piece);
      bytes += piece.length;
      await writing;
      writing = writeWhole(file, piece);
      // What fails is told where it is awaited.
      writing.catch(() => {});
      disk.wrote(piece.length);
    }
    await writing;
    await disk.finish();
  } finally {
    await Promise.allSettled([writing, disk.settled()]);
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

/** A file that is being written: it can be read meanwhile. */
export interface OpenFile {
  path: string;
  fd: number;
}

type Blocks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * The same for content whose digest the caller knows, in a process that has nothing else to do meanwhile: each block is
 * in the file before the next is asked for. Where both cores are busy, to have another thread write it takes longer.
 */
export async function writeBlocksAtomic(path: string, blocks: (file: OpenFile) => Blocks): Promise<void> {
  await inPlace(path, async (temporary) => [await writeBlocks(temporary, blocks)]);
}

async function writeBlocks(path: string, blocks: (file: OpenFile) => Blocks): Promise<void> {
  const file = await open(path, "wx+");
  const disk = new EarlySync(file);
  try {
    for await (const block of blocks({ path, fd: file.fd })) {
      for (let at = 0; at < block.length; ) at += writeSync(file.fd, block, at);
      if (disk.wrote(block.length)) await turn();
    }
    await disk.finish();
  } finally {
    await disk.settled();
    await file.close();
  }
}

/** Temporary files that are being written by this thread. */
const unfinished = new Set<string>();

/** Removes what is being written, for a process that ends now. */
export function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
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
    unfinished.add(temporary);
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
  } finally {
    if (temporary !== undefined) unfinished.delete(temporary);
  }
}
