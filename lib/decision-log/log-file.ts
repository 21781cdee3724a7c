import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import type { LogLine } from "../../contract/decision-log.ts";

const NEWLINE = 10;

/** One file of a log while it is written: what went into it, and its digest. */
export class LogFile {
  readonly #handle: FileHandle;
  readonly #digest = createHash("sha256");
  #bytes = 0;
  #lines = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Makes a file that was not there. */
  static async create(path: string): Promise<LogFile> {
    return new LogFile(await open(path, "wx", 0o640));
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Appends whole lines. Throws where not all of it could be written: the file is then of no further use. */
  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await this.#handle.appendFile(bytes);
    this.#digest.update(bytes);
    this.#bytes += bytes.length;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) this.#lines += 1;
  }

  /** Writes the last line, and sees it on the disk. */
  async close(at: number, lost: number): Promise<void> {
    const sha256 = this.#digest.digest("hex");
    const line: LogLine = { line: "close", at, lines: this.#lines, lost, sha256 };
    await this.#handle.appendFile(`${JSON.stringify(line)}\n`);
    await this.#handle.sync();
    await this.#handle.close();
  }

  /** Leaves the file as it is: something in it went wrong. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
  }
}
