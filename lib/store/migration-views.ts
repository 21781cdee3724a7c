import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * A round's view is several files of a format that has a number, and no longer the one SQLite file that `view_sha256`
 * names: a round that has only that one has its view made again.
 */
export const viewColumns: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ["view", "view_problem"] as const)
      await db.schema.alterTable("round").addColumn(column, "text").execute();
  },
};
