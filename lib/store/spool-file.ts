import { type FileHandle, open, rm } from "node:fs/promises";
import { asFileProblem } from "./file-problem.ts";
import { readInputFile } from "./read-file.ts";

/** A file that is written from end to end, then read from end to end, then removed. Errors are FileProblems. */
export class SpoolFile {
  private readonly path: string;
  private file: FileHandle | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** Empties it. */
  async clear(): Promise<void> {
    await this.file?.close();
    try {
      this.file = await open(this.path, "w");
    } catch (error) {
      this.file = null;
      throw asFileProblem(this.path, error);
    }
  }

  async append(text: string): Promise<void> {
    if (text === "") return;
    try {
      await this.file!.appendFile(text);
    } catch (error) {
      throw asFileProblem(this.path, error);
    }
  }

  chunks(): AsyncIterable<Uint8Array> {
    return readInputFile(this.path);
  }

  async remove(): Promise<void> {
    await this.file?.close();
    this.file = null;
    await rm(this.path, { force: true });
  }
}
