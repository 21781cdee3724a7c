import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** What is worked out from stored inputs beside the rounds. */
export const studyTables: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("study")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("question", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("created_at_ms", "bigint", (column) => column.notNull())
      .addColumn("finished_at_ms", "bigint")
      .addColumn("inputs", "text", (column) => column.notNull())
      .addColumn("artifacts", "text", (column) => column.notNull())
      .addColumn("result", "text")
      .addColumn("result_sha256", "text")
      .addColumn("problem", "text")
      .execute();
    await db.schema
      .createIndex("study_question")
      .on("study")
      .columns(["kind", "question", "created_at_ms"])
      .execute();
  },
};
