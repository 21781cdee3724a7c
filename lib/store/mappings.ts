import type { Kysely } from "kysely";
import type { MappingRow, Schema } from "./schema.ts";

/** Mappings of logs, kept by name; their texts are opaque here. */
export class Mappings {
  private readonly db: Kysely<Schema>;

  constructor(db: Kysely<Schema>) {
    this.db = db;
  }

  list(): Promise<MappingRow[]> {
    return this.db.selectFrom("mapping").selectAll().orderBy("name").execute();
  }

  /** Keeps a mapping; one of the same name is replaced. */
  async save(row: MappingRow): Promise<void> {
    const { text, saved_at_ms } = row;
    await this.db
      .insertInto("mapping")
      .values(row)
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ text, saved_at_ms }))
      .execute();
  }

  async remove(name: string): Promise<boolean> {
    const { numDeletedRows } = await this.db
      .deleteFrom("mapping")
      .where("name", "=", name)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }
}
