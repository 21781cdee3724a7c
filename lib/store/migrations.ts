import type { Kysely } from "kysely";
import type { Migration, MigrationProvider } from "kysely/migration";
import { auditColumns } from "./migration-audits.ts";
import { consoleTables } from "./migration-console.ts";
import { deviationTable } from "./migration-deviations.ts";
import { importTables } from "./migration-import.ts";
import { sealColumns } from "./migration-seals.ts";
import { studyTables } from "./migration-studies.ts";
import { viewColumns } from "./migration-views.ts";

const rounds: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("round")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("created_at_ms", "bigint", (column) => column.notNull())
      .addColumn("finished_at_ms", "bigint")
      .addColumn("reading", "text", (column) => column.notNull())
      .addColumn("faults", "text", (column) => column.notNull())
      .addColumn("contract_name", "text", (column) => column.notNull())
      .addColumn("contract_sha256", "text", (column) => column.notNull())
      .addColumn("policy_name", "text", (column) => column.notNull())
      .addColumn("policy_sha256", "text", (column) => column.notNull())
      .addColumn("stream_name", "text", (column) => column.notNull())
      .addColumn("stream_sha256", "text", (column) => column.notNull())
      .addColumn("stream_bytes", "bigint", (column) => column.notNull())
      .addColumn("report_sha256", "text")
      .addColumn("view_sha256", "text")
      .addColumn("requests", "bigint")
      .addColumn("false_green", "integer")
      .addColumn("summary", "text")
      .addColumn("problem", "text")
      .execute();
    await db.schema.createIndex("round_created").on("round").columns(["created_at_ms", "id"]).execute();
    await db.schema
      .createTable("share")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("round_id", "text", (column) => column.notNull().references("round.id").onDelete("cascade"))
      .addColumn("token_sha256", "text", (column) => column.notNull().unique())
      .addColumn("hint", "text", (column) => column.notNull())
      .addColumn("created_at_ms", "bigint", (column) => column.notNull())
      .addColumn("expires_at_ms", "bigint")
      .addColumn("revoked_at_ms", "bigint")
      .addColumn("opened_count", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("last_opened_at_ms", "bigint")
      .execute();
    await db.schema.createIndex("share_round").on("share").column("round_id").execute();
    await db.schema
      .createTable("setting")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("value", "text", (column) => column.notNull())
      .execute();
  },
};

/** The schema's history; a migration that was released is never changed. */
export const migrations: MigrationProvider = {
  getMigrations: async () => ({
    "0001-rounds": rounds,
    "0002-console": consoleTables,
    "0003-deviations": deviationTable,
    "0004-studies": studyTables,
    "0005-import": importTables,
    "0006-audits": auditColumns,
    "0007-views": viewColumns,
    "0008-seals": sealColumns,
  }),
};
