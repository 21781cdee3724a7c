import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Recorded deviations (§5.3); one that was withdrawn is kept. */
export const deviationTable: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("deviation")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("round_id", "text", (column) => column.notNull().references("round.id").onDelete("cascade"))
      .addColumn("path", "text")
      .addColumn("check_id", "text", (column) => column.notNull())
      .addColumn("reason", "text", (column) => column.notNull())
      .addColumn("recorded_by", "text", (column) => column.notNull())
      .addColumn("recorded_at_ms", "bigint", (column) => column.notNull())
      .addColumn("withdrawn_at_ms", "bigint")
      .execute();
    await db.schema.createIndex("deviation_round").on("deviation").column("round_id").execute();
  },
};
