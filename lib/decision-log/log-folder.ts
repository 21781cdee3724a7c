import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { LogFile } from "./log-file.ts";

/** Names sort by time, then by the file's number. */
export const LOG_FILE_NAME = /^decisions-\d{13}-[0-9a-f]{8}-\d{6}\.jsonl$/;

/** The files of decision logs in a folder, bounded in number. */
export class LogFolder {
  readonly path: string;
  readonly #files: number;

  /** @param files most files of all logs in the folder; the oldest go first */
  constructor(path: string, files: number) {
    this.path = path;
    this.#files = files;
  }

  /** Makes the file of a log with a number; the folder too, where it is missing. */
  async create(log: string, began_ms: number, number: number): Promise<LogFile> {
    await mkdir(this.path, { recursive: true });
    const [began, file] = [String(began_ms).padStart(13, "0"), String(number).padStart(6, "0")];
    return LogFile.create(join(this.path, `decisions-${began}-${log.slice(0, 8)}-${file}.jsonl`));
  }

  /** Removes the oldest files beyond the bound. */
  async sweep(): Promise<void> {
    const names = (await readdir(this.path)).filter((name) => LOG_FILE_NAME.test(name)).sort();
    for (const name of names.slice(0, Math.max(0, names.length - this.#files)))
      await rm(join(this.path, name));
  }
}
