import { createHash, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Schema, ShareRecord } from "./schema.ts";

/** Unguessable: 256 bits. */
const TOKEN_BYTES = 32;
const HINT_CHARACTERS = 4;
const MASK_KEY_BYTES = 32;

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Links to rounds: only a hash of each token is kept, so that the database gives no link away. */
export class Shares {
  private readonly db: Kysely<Schema>;

  constructor(db: Kysely<Schema>) {
    this.db = db;
  }

  /** Makes a link; its token is told once, here. What it shows is given with it, and never changes. */
  async create(
    round_id: string,
    expires_at_ms: number | null,
    now_ms: number,
    { raw, masked }: { raw: boolean; masked: boolean } = { raw: true, masked: false },
  ): Promise<{ token: string; share: ShareRecord }> {
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    const share: ShareRecord = {
      id: randomBytes(9).toString("base64url"),
      round_id,
      token_sha256: hashOf(token),
      hint: token.slice(-HINT_CHARACTERS),
      created_at_ms: now_ms,
      expires_at_ms,
      revoked_at_ms: null,
      opened_count: 0,
      last_opened_at_ms: null,
      raw: raw ? 1 : 0,
      mask_key: masked ? randomBytes(MASK_KEY_BYTES).toString("hex") : null,
    };
    await this.db.insertInto("share").values(share).execute();
    return { token, share };
  }

  /** The round behind a token; null where it is unknown, revoked or expired: one answer for all three. */
  async find(token: string, now_ms: number): Promise<ShareRecord | null> {
    const share = await this.db
      .selectFrom("share")
      .selectAll()
      .where("token_sha256", "=", hashOf(token))
      .executeTakeFirst();
    if (share === undefined || share.revoked_at_ms !== null) return null;
    return share.expires_at_ms !== null && share.expires_at_ms <= now_ms ? null : share;
  }

  /** Counts an opening. */
  async touch(id: string, now_ms: number): Promise<void> {
    await this.db
      .updateTable("share")
      .set((eb) => ({ opened_count: eb("opened_count", "+", 1), last_opened_at_ms: now_ms }))
      .where("id", "=", id)
      .execute();
  }

  /** All links of a round, the newest first. */
  list(round_id: string): Promise<ShareRecord[]> {
    return this.db
      .selectFrom("share")
      .selectAll()
      .where("round_id", "=", round_id)
      .orderBy("created_at_ms", "desc")
      .execute();
  }

  /** Ends a link; false where there is no such living one. */
  async revoke(id: string, now_ms: number): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable("share")
      .set({ revoked_at_ms: now_ms })
      .where("id", "=", id)
      .where("revoked_at_ms", "is", null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
}
