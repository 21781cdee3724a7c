import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What the list of rounds filters and sorts by: removed rounds are in none of these indices. */
async function listRounds(db: Kysely<unknown>): Promise<void> {
  for (const column of ["deleted_at_ms", "requeue"] as const)
    await db.schema.alterTable("round").addColumn(column, "bigint").execute();
  for (const column of ["outcome", "card"] as const)
    await db.schema.alterTable("round").addColumn(column, "text").execute();
  await sql`CREATE INDEX round_list_created ON round (created_at_ms, id, name, stream_name) WHERE deleted_at_ms IS NULL`.execute(
    db,
  );
  await sql`CREATE INDEX round_list_name ON round (name, id) WHERE deleted_at_ms IS NULL`.execute(db);
  await sql`CREATE INDEX round_list_requests ON round (requests, id) WHERE deleted_at_ms IS NULL`.execute(db);
  await sql`CREATE INDEX round_list_status ON round (coalesce(outcome, state), created_at_ms, id) WHERE deleted_at_ms IS NULL`.execute(
    db,
  );
  await sql`CREATE INDEX round_list_false_green ON round (created_at_ms, id) WHERE deleted_at_ms IS NULL AND false_green = 1`.execute(
    db,
  );
  await sql`CREATE INDEX round_deleted ON round (deleted_at_ms, id) WHERE deleted_at_ms IS NOT NULL`.execute(
    db,
  );
  await sql`CREATE INDEX round_stream ON round (stream_sha256)`.execute(db);
}

/** Which tenants occur in which rounds: each name once, so that ten thousand rounds of a thousand tenants stay small. */
async function findTenants(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("tenant_name")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .execute();
  await sql`CREATE TABLE round_tenant (
    tenant_id integer NOT NULL REFERENCES tenant_name (id),
    round_id text NOT NULL REFERENCES round (id) ON DELETE CASCADE,
    PRIMARY KEY (tenant_id, round_id)
  ) WITHOUT ROWID`.execute(db);
  await db.schema.createIndex("round_tenant_round").on("round_tenant").column("round_id").execute();
}

/** Contracts and policies by name and version; their texts are artifacts. */
async function keepDocuments(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("document")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .addUniqueConstraint("document_name", ["kind", "name"])
    .execute();
  await db.schema
    .createTable("document_version")
    .addColumn("document_id", "text", (column) =>
      column.notNull().references("document.id").onDelete("cascade"),
    )
    .addColumn("version", "integer", (column) => column.notNull())
    .addColumn("sha256", "text", (column) => column.notNull())
    .addColumn("bytes", "bigint", (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("document_version_key", ["document_id", "version"])
    .execute();
}

/** What a link shows: with or without the raw stream, names as they are or masked with a key of the link's own. */
async function limitShares(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("share")
    .addColumn("raw", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema.alterTable("share").addColumn("mask_key", "text").execute();
}

/** The list that finds any round, kept documents, and links that show less than all. */
export const consoleTables: Migration = {
  async up(db: Kysely<unknown>) {
    await listRounds(db);
    await findTenants(db);
    await keepDocuments(db);
    await limitShares(db);
  },
};
