import { join } from "node:path";
import Database from "better-sqlite3";

/** A second process on the same data directory. */
export class DataDirectoryInUse extends Error {}

/**
 * Takes the data directory for this process. The lock is one of the operating system, held by an open SQLite
 * transaction: it ends with the process, however that ends. Returns what gives it back.
 */
export function lockDataDirectory(dataDir: string): () => void {
  const lock = new Database(join(dataDir, "lock.sqlite"), { timeout: 0 });
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code?.startsWith("SQLITE_BUSY") !== true) throw error;
    throw new DataDirectoryInUse(
      `${dataDir} is in use by another process; stop that one, or set THROTTLE_DATA to another directory`,
    );
  }
  return () => lock.close();
}
