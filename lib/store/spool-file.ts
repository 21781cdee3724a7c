import { randomBytes } from "node:crypto";
import { close, openSync, read, rmSync, write } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { TEMPORARY_PREFIX } from "./atomic-file.ts";
import { asFileProblem } from "./file-problem.ts";

/** Bytes asked for at once. */
const CHUNK_BYTES = 1024 * 1024;

const readBytes = promisify(read);
const writeBytes = promisify(write);
const closeFile = promisify(close);

/**
 * A file that is written from end to end, then read from end to end. It has no name from its first moment on: however
 * its process ends, nothing of it is left. Errors are FileProblems.
 */
export class SpoolFile {
  private readonly folder: string;
  private file: number | null = null;

  /** @param folder where there is room for it */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Empties it. */
  async clear(): Promise<void> {
    await this.close();
    const path = join(this.folder, `${TEMPORARY_PREFIX}${randomBytes(8).toString("hex")}`);
    try {
      // At once: nothing ends the process in between, unless it kills it in that very moment.
      this.file = openSync(path, "wx+", 0o600);
      rmSync(path, { force: true });
    } catch (error) {
      throw asFileProblem(path, error);
    }
  }

  async append(text: string): Promise<void> {
    if (text === "") return;
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; )
        at += (await writeBytes(this.file!, bytes, at, bytes.length - at)).bytesWritten;
    } catch (error) {
      throw asFileProblem(this.folder, error);
    }
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; ; ) {
        const { bytesRead, buffer } = await readBytes(
          this.file!,
          new Uint8Array(CHUNK_BYTES),
          0,
          CHUNK_BYTES,
          at,
        );
        if (bytesRead === 0) return;
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } catch (error) {
      throw asFileProblem(this.folder, error);
    }
  }

  async close(): Promise<void> {
    const file = this.file;
    this.file = null;
    if (file !== null) await closeFile(file);
  }
}
