import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Logs that are imported before their round, and mappings kept by name. */
export const importTables: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ["raw_sha256", "mapping", "import"] as const)
      await db.schema.alterTable("round").addColumn(column, "text").execute();
    await db.schema.alterTable("round").addColumn("raw_bytes", "bigint").execute();
    await db.schema
      .createTable("mapping")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("text", "text", (column) => column.notNull())
      .addColumn("saved_at_ms", "bigint", (column) => column.notNull())
      .execute();
  },
};
