import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Audits are rounds whose report was made elsewhere: they are not decided here. */
export const auditColumns: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("round").addColumn("audit", "text").execute();
  },
};
