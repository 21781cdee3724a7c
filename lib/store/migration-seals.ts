import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { roundSeal, studySeal } from "./row-seal.ts";
import type { Schema } from "./schema.ts";

/**
 * A digest beside each finished round and study, so that a row that is changed by hand is found to be. Those of an older
 * version are taken as they are now: once, here.
 */
export const sealColumns: Migration = {
  async up(migrated: Kysely<unknown>) {
    const db = migrated as Kysely<Schema>;
    for (const table of ["round", "study"] as const)
      await db.schema.alterTable(table).addColumn("seal", "text").execute();
    const done = async (table: "round" | "study") =>
      (await db.selectFrom(table).select("id").where("state", "=", "done").execute()).map(({ id }) => id);
    // One at a time: summaries are long.
    for (const id of await done("round")) {
      const row = await db.selectFrom("round").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
      await db
        .updateTable("round")
        .set({ seal: roundSeal(row) })
        .where("id", "=", id)
        .execute();
    }
    for (const id of await done("study")) {
      const row = await db.selectFrom("study").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
      await db
        .updateTable("study")
        .set({ seal: studySeal(row) })
        .where("id", "=", id)
        .execute();
    }
  },
};
