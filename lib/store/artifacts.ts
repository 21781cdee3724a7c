import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import {
  makeDirectory,
  syncDirectory,
  TEMPORARY_PREFIX,
  type WrittenFile,
  writeFileAtomic,
} from "./atomic-file.ts";
import { asFileProblem } from "./file-problem.ts";

const DIGEST = /^[0-9a-f]{64}$/;

/** SHA-256 of the content of the file at a path, 64 hex digits; the file system's error where it cannot be read. */
export type DigestFile = (path: string) => Promise<string>;

/** SHA-256 of a file's content, 64 hex digits. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

function digestOf(chunks: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}

/** Files that are named by the SHA-256 of their content and never change. */
export class Artifacts {
  /** Where they all are. */
  readonly folder: string;
  /** Told of each one that is stored, also where it was there already. */
  onStored: (sha256: string) => void = () => {};

  /** Finds a file's digest; of a large one best somewhere else than in the event loop. */
  readonly digestFile: DigestFile;

  constructor(dataDir: string, digestFile: DigestFile = fileDigest) {
    this.digestFile = digestFile;
    this.folder = join(dataDir, "artifacts");
  }

  /** Path of an artifact. A name that is no digest is an error: it could lead out of the folder. */
  path(sha256: string): string {
    if (!DIGEST.test(sha256)) throw new Error(`${JSON.stringify(sha256)} is no SHA-256`);
    return join(this.folder, sha256.slice(0, 2), sha256);
  }

  /** Stores bytes whole or not at all; the same content is stored once: a file that is whole is left untouched. */
  async put(
    chunks: readonly (string | Uint8Array)[] | AsyncIterable<string | Uint8Array>,
  ): Promise<WrittenFile> {
    const known = Symbol.asyncIterator in chunks ? null : await this.stored(digestOf(chunks));
    if (known !== null) return known;
    const written = await writeFileAtomic(join(this.folder, "new"), chunks, ({ sha256 }) =>
      this.path(sha256),
    );
    this.onStored(written.sha256);
    return written;
  }

  /**
   * Takes over a file that is whole already, from the same file system: synced, then renamed.
   * @param digest its own, where the caller has just found it
   */
  async adopt(source: string, digest?: string): Promise<WrittenFile> {
    try {
      const sha256 = digest ?? (await this.digestFile(source));
      const known = await this.stored(sha256);
      if (known !== null) {
        // Of two that take it over at once the second finds nothing, as where it is renamed.
        await unlink(source);
        return known;
      }
      const target = this.path(sha256);
      const file = await open(source, "r+");
      await file.sync().finally(() => file.close());
      await makeDirectory(join(target, ".."));
      await rename(source, target);
      this.onStored(sha256);
      await syncDirectory(join(target, ".."));
      return { sha256, bytes: (await stat(target)).size };
    } catch (error) {
      throw asFileProblem(source, error);
    }
  }

  /** An artifact that is there and whole, told as stored; null where it is to be written: also where another file is in its place. */
  private async stored(sha256: string): Promise<WrittenFile | null> {
    const path = this.path(sha256);
    const found = await stat(path).catch(() => null);
    if (found === null || !found.isFile() || (await this.digestFile(path).catch(() => "")) !== sha256)
      return null;
    this.onStored(sha256);
    return { sha256, bytes: found.size };
  }

  async has(sha256: string): Promise<boolean> {
    return stat(this.path(sha256)).then(
      () => true,
      () => false,
    );
  }

  /** Removes what nobody refers to, and what a killed process left half written. */
  async sweep(referenced: ReadonlySet<string>): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    for (const entry of await readdir(this.folder, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue;
      if (entry.name.startsWith(TEMPORARY_PREFIX) || (DIGEST.test(entry.name) && !referenced.has(entry.name)))
        await rm(join(entry.parentPath, entry.name), { force: true });
    }
  }
}
