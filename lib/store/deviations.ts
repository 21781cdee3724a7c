import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Deviation } from "../../contract/deviation.ts";
import type { Schema } from "./schema.ts";

/** Recorded deviations of rounds (§5.3). */
export class Deviations {
  private readonly db: Kysely<Schema>;

  constructor(db: Kysely<Schema>) {
    this.db = db;
  }

  async record(round_id: string, deviation: Omit<Deviation, "id">): Promise<Deviation> {
    const id = randomBytes(9).toString("base64url");
    const { path, check, reason, by, recorded_at_ms } = deviation;
    await this.db
      .insertInto("deviation")
      .values({
        id,
        round_id,
        path,
        check_id: check,
        reason,
        recorded_by: by,
        recorded_at_ms,
        withdrawn_at_ms: null,
      })
      .execute();
    return { id, ...deviation };
  }

  /** Those of a round that were not withdrawn, the newest first. */
  async list(round_id: string): Promise<Deviation[]> {
    const rows = await this.db
      .selectFrom("deviation")
      .selectAll()
      .where("round_id", "=", round_id)
      .where("withdrawn_at_ms", "is", null)
      .orderBy("recorded_at_ms", "desc")
      .orderBy("id")
      .execute();
    return rows.map(({ id, path, check_id, reason, recorded_by, recorded_at_ms }) => ({
      id,
      path,
      check: check_id,
      reason,
      by: recorded_by,
      recorded_at_ms,
    }));
  }

  /** Takes one back; false where there is none. The row stays, with the time. */
  async withdraw(round_id: string, id: string, now_ms: number): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable("deviation")
      .set({ withdrawn_at_ms: now_ms })
      .where("id", "=", id)
      .where("round_id", "=", round_id)
      .where("withdrawn_at_ms", "is", null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
}
