import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";

/** Facts about this installation, by key. */
export class Settings {
  private readonly db: Kysely<Schema>;

  constructor(db: Kysely<Schema>) {
    this.db = db;
  }

  async get(key: string): Promise<string | null> {
    const row = await this.db.selectFrom("setting").select("value").where("key", "=", key).executeTakeFirst();
    return row?.value ?? null;
  }

  async set(key: string, value: string): Promise<void> {
    await this.db
      .insertInto("setting")
      .values({ key, value })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
      .execute();
  }
}
