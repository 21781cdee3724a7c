import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { Artifacts, type DigestFile } from "./artifacts.ts";
import { takeDataDirectory, unusable } from "./data-lock.ts";
import { Deviations } from "./deviations.ts";
import { Documents } from "./documents.ts";
import { Mappings } from "./mappings.ts";
import { migrations } from "./migrations.ts";
import { Rounds } from "./rounds.ts";
import type { Schema } from "./schema.ts";
import { Seals } from "./seals.ts";
import { Settings } from "./settings.ts";
import { Shares } from "./shares.ts";
import { Studies } from "./studies.ts";
import { sweepUploads } from "./sweep-uploads.ts";
import { Unreferenced } from "./unreferenced.ts";
import { Views } from "./views.ts";

/** How long an upload that nobody finished or used can still be resumed. */
const UPLOAD_LIFE_MS = 7 * 86_400_000;

/** Everything that is kept. */
export interface Store {
  dataDir: string;
  rounds: Rounds;
  shares: Shares;
  deviations: Deviations;
  settings: Settings;
  studies: Studies;
  mappings: Mappings;
  documents: Documents;
  artifacts: Artifacts;
  /** Whether artifacts are still what they were. */
  seals: Seals;
  /** Whatever stores artifacts does it in `unreferenced.storing`. */
  unreferenced: Unreferenced;
  views: Views;
  /** Where a round's process writes what is not whole yet. */
  stagingDir(roundId: string): string;
  /** Removes uploads that nobody finished or used for a week. */
  sweepUploads(): Promise<void>;
  close(): Promise<void>;
}

function connect(path: string): Kysely<Schema> {
  const database = new Database(path);
  database.pragma("journal_mode = WAL");
  // FULL: a commit is on the disk before it is answered. A power cut loses nothing that was finished.
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
}

async function migrate(db: Kysely<Schema>): Promise<void> {
  const { error } = await new Migrator({ db, provider: migrations }).migrateToLatest();
  if (error !== undefined) throw error;
}

/**
 * Opens the store of a data directory: one process at a time (DataDirectoryInUse otherwise), its schema up to date, and
 * without what a killed process left half done.
 * @param digestFile how digests of stored files are found; absent: in the event loop
 */
export async function openStore(dataDir: string, digestFile?: DigestFile): Promise<Store> {
  const unlock = await takeDataDirectory(dataDir);
  let db: Kysely<Schema> | undefined;
  try {
    const connection = connect(join(dataDir, "tenantthrottle.sqlite"));
    db = connection;
    await migrate(connection);
    const rounds = new Rounds(connection);
    const studies = new Studies(connection);
    const documents = new Documents(connection);
    const artifacts = new Artifacts(dataDir, digestFile);
    const staging = join(dataDir, "staging");
    // A round's process may outlive a killed server for a moment and still write: hence the retries, and below a folder
    // of this opening's own, so that what it writes never meets what the same round writes now.
    await rm(staging, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    const ownStaging = join(staging, randomBytes(8).toString("hex"));
    const sweepOldUploads = () => sweepUploads(join(dataDir, "uploads"), Date.now() - UPLOAD_LIFE_MS);
    await sweepOldUploads();
    const views = new Views(artifacts, join(ownStaging, "queries"));
    const referenced = async () => {
      const digests = await Promise.all([rounds, studies, documents].map((table) => table.referenced()));
      return new Set(digests.flatMap((found) => [...found]));
    };
    await artifacts.sweep(await referenced());
    return {
      dataDir,
      rounds,
      studies,
      documents,
      artifacts,
      seals: new Seals(artifacts),
      unreferenced: new Unreferenced(artifacts, referenced),
      views,
      shares: new Shares(connection),
      deviations: new Deviations(connection),
      settings: new Settings(connection),
      mappings: new Mappings(connection),
      stagingDir: (roundId) => join(ownStaging, roundId),
      sweepUploads: sweepOldUploads,
      close: async () => {
        await views.close();
        await connection.destroy();
        unlock();
      },
    };
  } catch (error) {
    await db?.destroy();
    unlock();
    throw unusable(dataDir, error);
  }
}
