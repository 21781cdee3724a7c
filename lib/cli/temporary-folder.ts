import { mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leavingNothing } from "../rounds/process/clean-end.ts";

/** A folder for as long as `use` takes: it is gone afterwards, also where whoever waits for the verb ends it. */
export async function withTemporaryFolder<T>(
  prefix: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  let folder = "";
  const remove = () => {
    if (folder !== "") rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  return leavingNothing(async () => {
    try {
      // Made at once, and by then it is listened: no signal finds it between.
      folder = mkdtempSync(join(tmpdir(), prefix));
      return await use(folder);
    } finally {
      if (folder !== "") await rm(folder, { recursive: true, force: true });
    }
  }, remove);
}
