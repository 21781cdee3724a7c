import { join } from "node:path";
import Database from "better-sqlite3";
import { makeDirectory } from "./atomic-file.ts";

/** A second process on the same data directory. */
export class DataDirectoryInUse extends Error {}

/** A data directory that cannot be made, opened or written, in one sentence for people. */
export function unusable(dataDir: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(
    `${dataDir} cannot be used for data (${reason}); set THROTTLE_DATA to a directory that can be written`,
    { cause: error },
  );
}

/**
 * Takes the data directory for this process. The lock is one of the operating system, held by an open SQLite
 * transaction: it ends with the process, however that ends. Returns what gives it back.
 */
export function lockDataDirectory(dataDir: string): () => void {
  let lock: Database.Database | undefined;
  try {
    lock = new Database(join(dataDir, "lock.sqlite"), { timeout: 0 });
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock?.close();
    if ((error as { code?: string }).code?.startsWith("SQLITE_BUSY") !== true) throw unusable(dataDir, error);
    throw new DataDirectoryInUse(
      `${dataDir} is in use by another process; stop that one, or set THROTTLE_DATA to another directory`,
    );
  }
  const held = lock;
  return () => held.close();
}

/** Makes the data directory where it is missing, and takes it for this process. Returns what gives it back. */
export async function takeDataDirectory(dataDir: string): Promise<() => void> {
  await makeDirectory(dataDir).catch((error: unknown) => {
    throw unusable(dataDir, error);
  });
  return lockDataDirectory(dataDir);
}
