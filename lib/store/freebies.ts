import Database from "better-sqlite3";
import { unusable } from "./data-lock.ts";

/** Whose free requests are counted: of a kind of its own, so that no credential can be spelled like a network (G3). */
interface Client {
  readonly kind: "token" | "ip";
  readonly value: string;
}

const SCHEMA = `CREATE TABLE IF NOT EXISTS freebie (
  service TEXT NOT NULL,
  kind TEXT NOT NULL,
  client TEXT NOT NULL,
  used INTEGER NOT NULL CHECK (used > 0),
  PRIMARY KEY (service, kind, client)
) STRICT, WITHOUT ROWID`;

/** Longest wait for another process that writes; then counting fails, and so does the request (G7). */
const BUSY_MS = 500;

/**
 * Free requests in a database (G7): they outlive updates and the process, and processes of one machine may share them.
 * Every call answers at once and throws where the database cannot be used. A count that was answered survives a killed
 * process; a power cut may lose the last ones.
 */
export class DatabaseFreebies {
  readonly #database: Database.Database;
  readonly #read: Database.Statement<[string, string, string], { used: number }>;
  readonly #count: Database.Statement<[string, string, string, number]>;
  readonly #lower: Database.Statement<[string, string, string]>;
  readonly #drop: Database.Statement<[string, string, string]>;

  /** Opens a file, or makes it. Throws, in words for people, where it cannot be used. */
  constructor(file: string) {
    try {
      this.#database = new Database(file, { timeout: BUSY_MS });
      this.#database.pragma("journal_mode = WAL");
      this.#database.pragma("synchronous = NORMAL");
      this.#database.exec(SCHEMA);
    } catch (error) {
      throw unusable(file, error);
    }
    const where = "WHERE service = ? AND kind = ? AND client = ?";
    this.#read = this.#database.prepare(`SELECT used FROM freebie ${where}`);
    this.#count = this.#database.prepare(
      "INSERT INTO freebie VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET used = used + 1 WHERE used < ?",
    );
    this.#lower = this.#database.prepare(`UPDATE freebie SET used = used - 1 ${where} AND used > 1`);
    this.#drop = this.#database.prepare(`DELETE FROM freebie ${where}`);
  }

  /** How many were counted so far. */
  read(service: string, { kind, value }: Client): number {
    return this.#read.get(service, kind, value)?.used ?? 0;
  }

  /** Counts one more, or says false where `most` ≥ 1 are counted already. */
  count(service: string, { kind, value }: Client, most: number): boolean {
    return this.#count.run(service, kind, value, most).changes === 1;
  }

  /** Takes one back, never below none. */
  giveBack(service: string, { kind, value }: Client): void {
    this.#database
      .transaction(() => {
        if (this.#lower.run(service, kind, value).changes === 0) this.#drop.run(service, kind, value);
      })
      .immediate();
  }

  close(): void {
    this.#database.close();
  }
}
