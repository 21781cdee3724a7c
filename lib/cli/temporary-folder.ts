import { mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** By which whoever started a verb ends it. */
const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A folder for as long as `use` takes: it is gone afterwards, also where whoever waits for the verb ends it. */
export async function withTemporaryFolder<T>(
  prefix: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  let folder = "";
  const end = (signal: NodeJS.Signals) => {
    if (folder !== "") rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    // As if nobody had listened.
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING) process.once(signal, end);
  try {
    // Made at once, and by then it is listened: no signal finds it between.
    folder = mkdtempSync(join(tmpdir(), prefix));
    return await use(folder);
  } finally {
    for (const signal of ENDING) process.off(signal, end);
    if (folder !== "") await rm(folder, { recursive: true, force: true });
  }
}
