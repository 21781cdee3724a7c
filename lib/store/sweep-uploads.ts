import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Removes uploads, and what is noted about them, that were last written before `olderThan_ms` (since the Unix epoch). */
export async function sweepUploads(folder: string, olderThan_ms: number): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const name of names) {
    const path = join(folder, name);
    // Gone meanwhile: taken over by a round, or swept already.
    const found = await stat(path).catch(() => null);
    if (found?.isFile() && found.mtimeMs < olderThan_ms) await rm(path, { force: true });
  }
}
