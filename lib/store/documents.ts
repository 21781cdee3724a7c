import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema.ts";

/** A version of a kept document. */
export interface DocumentVersion {
  document_id: string;
  kind: string;
  name: string;
  /** From 1, without gaps. */
  version: number;
  sha256: string;
  bytes: number;
  created_at_ms: number;
}

/** Contracts and policies that are kept by name; a version never changes. Their texts are artifacts. */
export class Documents {
  private readonly db: Kysely<Schema>;

  constructor(db: Kysely<Schema>) {
    this.db = db;
  }

  private versions() {
    return this.db
      .selectFrom("document_version")
      .innerJoin("document", "document.id", "document_version.document_id")
      .select([
        "document_id",
        "kind",
        "name",
        "version",
        "sha256",
        "bytes",
        "document_version.created_at_ms",
      ]);
  }

  /** The latest version of each document of a kind, the most recently kept first. */
  latest(kind: string): Promise<DocumentVersion[]> {
    return this.versions()
      .where("kind", "=", kind)
      .where("version", "=", (eb) =>
        eb
          .selectFrom("document_version as other")
          .select((inner) => inner.fn.max("other.version").as("latest"))
          .whereRef("other.document_id", "=", "document.id"),
      )
      .orderBy("document_version.created_at_ms", "desc")
      .orderBy("name")
      .execute();
  }

  /** The first version of the document that was kept first. */
  async first(kind: string): Promise<DocumentVersion | null> {
    const row = await this.versions()
      .where("kind", "=", kind)
      .where("version", "=", 1)
      .orderBy("document_version.created_at_ms")
      .executeTakeFirst();
    return row ?? null;
  }

  /** All versions of a document, the latest first. */
  history(document_id: string): Promise<DocumentVersion[]> {
    return this.versions().where("document_id", "=", document_id).orderBy("version", "desc").execute();
  }

  async named(kind: string, name: string): Promise<DocumentVersion | null> {
    const row = await this.versions()
      .where("kind", "=", kind)
      .where("name", "=", name)
      .orderBy("version", "desc")
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Keeps a text as the version after `after` of a document of that name (0: as its first). Null where that version is
   * there already: somebody else kept one meanwhile. One transaction: a document without a version is never seen.
   */
  async keep(
    kind: string,
    name: string,
    after: number,
    text: { sha256: string; bytes: number },
    now_ms: number,
  ): Promise<DocumentVersion | null> {
    const row = { kind, name, version: after + 1, ...text, created_at_ms: now_ms };
    return this.db.transaction().execute(async (transaction) => {
      const id = randomBytes(9).toString("base64url");
      await transaction
        .insertInto("document")
        .values({ id, kind, name, created_at_ms: now_ms })
        .onConflict((conflict) => conflict.columns(["kind", "name"]).doNothing())
        .execute();
      const { id: document_id } = await transaction
        .selectFrom("document")
        .select("id")
        .where("kind", "=", kind)
        .where("name", "=", name)
        .executeTakeFirstOrThrow();
      const { latest } = await transaction
        .selectFrom("document_version")
        .select(sql<number>`coalesce(max(version), 0)`.as("latest"))
        .where("document_id", "=", document_id)
        .executeTakeFirstOrThrow();
      if (latest !== after) return null;
      await transaction
        .insertInto("document_version")
        .values({ document_id, version: row.version, ...text, created_at_ms: now_ms })
        .execute();
      return { document_id, ...row };
    });
  }

  /** Digests of every text that a version refers to. */
  async referenced(): Promise<string[]> {
    const rows = await this.db.selectFrom("document_version").select("sha256").distinct().execute();
    return rows.map(({ sha256 }) => sha256);
  }
}
