import { createReadStream, readSync } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { asFileProblem, FileProblem } from "./file-problem.ts";

/** Bytes asked for at once: few calls, and little memory. */
const CHUNK_BYTES = 1024 * 1024;

/** How many bytes a file has as it stands; 0 where it has no size. Errors are FileProblems. */
export async function fileBytes(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw asFileProblem(path, error);
  }
}

/** The bytes of a file in chunks. Errors are FileProblems. */
export async function* readInputFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }))
      yield chunk as Uint8Array;
  } catch (error) {
    throw asFileProblem(path, error);
  }
}

/**
 * The same for readers that are done with a chunk when they ask for the next: the memory is used again, and one chunk is
 * read while another is worked on. A chunk stays as it is until the next one is asked for.
 */
export async function* readFileAhead(path: string): AsyncGenerator<Uint8Array> {
  try {
    const file = await open(path, "r");
    try {
      yield* readAhead(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw asFileProblem(path, error);
  }
}

async function* readAhead(file: FileHandle): AsyncGenerator<Uint8Array> {
  let idle = new Uint8Array(CHUNK_BYTES);
  let filling = new Uint8Array(CHUNK_BYTES);
  for (let reading = file.read(filling); ; ) {
    const { bytesRead } = await reading;
    if (bytesRead === 0) return;
    [filling, idle] = [idle, filling];
    reading = file.read(filling);
    // What fails is told where it is awaited; nobody may ask for more.
    reading.catch(() => {});
    yield idle.subarray(0, bytesRead);
  }
}

/**
 * The same for a thread that has nothing else to do: it waits for each chunk. Where all cores are busy, to have another
 * thread read it would take longer.
 */
export async function* readFileAtOnce(path: string): AsyncGenerator<Uint8Array> {
  try {
    const file = await open(path, "r");
    try {
      yield* readAtOnce(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw asFileProblem(path, error);
  }
}

/** The same from a file that is open, from where it is read next; its errors are the file system's. */
export function* readAtOnce(file: FileHandle): Generator<Uint8Array> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let bytes = readSync(file.fd, chunk); bytes > 0; bytes = readSync(file.fd, chunk))
    yield chunk.subarray(0, bytes);
}

/**
 * Reads an open file at any place, at once: returns how many bytes there were, 0 only behind the last. Errors are
 * FileProblems that tell the path by which it was opened.
 */
export function readerOf(path: string, fd: number): (into: Uint8Array, position: number) => number {
  return (into, position) => {
    try {
      return readSync(fd, into, 0, into.length, position);
    } catch (error) {
      throw asFileProblem(path, error);
    }
  };
}

/**
 * A whole file in memory, of at most `maxBytes`. Errors are FileProblems. The bytes are counted as they come, not
 * believed beforehand: a device or a pipe has no size, and may have no end.
 */
export async function readSmallFile(path: string, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readInputFile(path)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new FileProblem(path, `is too large; expected at most ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
