import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { asFileProblem } from "./file-problem.ts";

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
  let bytes = 0;
  const file = await open(path, "wx");
  try {
    for await (const chunk of chunks) {
      const piece = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      hash.update(piece);
      bytes += piece.length;
      for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { sha256: hash.digest("hex"), bytes };
}

/**
 * Writes a file whole or not at all: to a temporary name beside it, synced, renamed, and the directory synced.
 * `place` decides the final path once the content is known. Errors of the file system are FileProblems.
 */
export async function writeFileAtomic(
  path: string,
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  place: (written: WrittenFile) => string = () => path,
): Promise<WrittenFile> {
  const temporary = join(dirname(path), `${TEMPORARY_PREFIX}${randomBytes(8).toString("hex")}`);
  try {
    await makeDirectory(dirname(path));
    const written = await writeChunks(temporary, chunks);
    const final = place(written);
    await makeDirectory(dirname(final));
    await rename(temporary, final);
    await syncDirectory(dirname(final));
    return written;
  } catch (error) {
    // Where the folder itself is at fault there is nothing to remove; what went wrong first is what is told.
    await rm(temporary, { force: true }).catch(() => {});
    throw asFileProblem(path, error);
  }
}
