import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { asFileProblem, FileProblem } from "./file-problem.ts";

/** Bytes asked for at once: few calls, and little memory. */
const CHUNK_BYTES = 1024 * 1024;

/** The bytes of a file in chunks. Errors are FileProblems. */
export async function* readInputFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }))
      yield chunk as Uint8Array;
  } catch (error) {
    throw asFileProblem(path, error);
  }
}

/** A whole file in memory, of at most `maxBytes`. Errors are FileProblems. */
export async function readSmallFile(path: string, maxBytes: number): Promise<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    const { size } = await file.stat();
    if (size > maxBytes) throw new FileProblem(path, `has ${size} bytes; expected at most ${maxBytes}`);
    return await file.readFile();
  } catch (error) {
    throw asFileProblem(path, error);
  } finally {
    await file?.close();
  }
}
