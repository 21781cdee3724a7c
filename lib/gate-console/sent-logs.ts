import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { maxUploadBytes, stagingRoot } from "../rounds/settings.ts";
import type { LogFilePart } from "./log-job.ts";

/** Most files that are sent at once. */
const FILES_MAX = 1000;

/** A file in a body that holds several, one behind the other. */
export interface SentFile {
  readonly name: string;
  readonly bytes: number;
}

/** The files that a query names, in the order of the body; null: it names none, or says no sizes. */
export function sentFiles(query: URLSearchParams): SentFile[] | null {
  const names = query.getAll("name");
  const sizes = query.getAll("bytes");
  if (names.length === 0 || names.length !== sizes.length || names.length > FILES_MAX) return null;
  if (!sizes.every((size) => /^(0|[1-9]\d{0,15})$/.test(size))) return null;
  return names.map((name, index) => ({ name, bytes: Number(sizes[index]) }));
}

/** Puts a body of several files on the disk while `work` reads them. Throws where the body is not as long as they are. */
export async function withSentLogs<T>(
  body: AsyncIterable<Uint8Array>,
  files: readonly SentFile[],
  work: (parts: readonly LogFilePart[]) => Promise<T>,
): Promise<T> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > maxUploadBytes())
    throw new Error(`the files hold ${total} bytes; expected at most ${maxUploadBytes()}`);
  // Where a start sweeps: a server that is killed meanwhile leaves nothing for long.
  await mkdir(stagingRoot(), { recursive: true });
  const folder = await mkdtemp(join(stagingRoot(), "gate-logs-"));
  try {
    const parts = files.map((file, index) => ({ ...file, path: join(folder, `${index}.jsonl`) }));
    await spool(body, parts);
    return await work(parts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function spool(body: AsyncIterable<Uint8Array>, parts: readonly LogFilePart[]): Promise<void> {
  const blocks = body[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  async function* take(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      while (rest.length === 0) {
        const next = await blocks.next();
        if (next.done) throw new Error("the body is shorter than its files");
        rest = next.value;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
  for (const { path, bytes } of parts) await pipeline(take(bytes), createWriteStream(path));
  if (rest.length > 0 || !(await blocks.next()).done) throw new Error("the body is longer than its files");
}
