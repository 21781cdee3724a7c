import { rm, statfs } from "node:fs/promises";
import { join } from "node:path";

/** A disk with less room than this takes no upload. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024;

const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * What is answered where an upload could not be written since the disk is full (507); undefined where it has room. What
 * was written of the upload is removed: it can hardly be gone on with, and meanwhile nothing else could be stored.
 * @param url of the upload that failed; its last part is the upload's id
 */
export async function answerFullDisk(
  folder: string,
  url: string,
  free = freeBytes,
): Promise<{ status_code: number; body: string } | undefined> {
  if ((await free(folder)) >= LEAST_FREE_BYTES) return undefined;
  const id = /\/([0-9a-f]{32})$/.exec(new URL(url).pathname)?.[1];
  if (id !== undefined) for (const name of [id, `${id}.json`]) await rm(join(folder, name), { force: true });
  return { status_code: 507, body: "There is no space left on the server's disk.\n" };
}
