import { type Kysely, sql } from "kysely";
import type { NewRound, RoundPatch, RoundRow, Schema } from "./schema.ts";

export interface RoundQuery {
  /** Part of the name or of the stream's name. */
  search?: string;
  state?: string;
  false_green?: boolean;
  sort: "created" | "name" | "requests";
  dir: "asc" | "desc";
  limit: number;
  offset: number;
}

const SORT_COLUMN = { created: "created_at_ms", name: "name", requests: "requests" } as const;

/** Text as a LIKE pattern that finds it anywhere; its own wildcards stand for themselves. */
export const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, (mark) => `\\${mark}`)}%`;

/** In lower case on both sides: SQLite would not tell capitals of ASCII apart, PostgreSQL would. */
const isLike = (column: "name" | "stream_name", pattern: string) =>
  sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`;

/** The table of rounds. */
export class Rounds {
  private readonly db: Kysely<Schema>;

  constructor(db: Kysely<Schema>) {
    this.db = db;
  }

  async insert(round: NewRound): Promise<void> {
    await this.db.insertInto("round").values(round).execute();
  }

  async get(id: string): Promise<RoundRow | null> {
    return (await this.db.selectFrom("round").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
  }

  /** One statement: a round changes from one whole state to another. */
  async update(id: string, patch: RoundPatch): Promise<void> {
    await this.db.updateTable("round").set(patch).where("id", "=", id).execute();
  }

  async remove(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.db.deleteFrom("round").where("id", "=", id).executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** A page of rounds and how many there are in all. */
  async list(query: RoundQuery): Promise<{ rows: RoundRow[]; total: number }> {
    let found = this.db.selectFrom("round");
    if (query.search !== undefined && query.search !== "") {
      const pattern = likeText(query.search);
      found = found.where((eb) => eb.or([isLike("name", pattern), isLike("stream_name", pattern)]));
    }
    if (query.state !== undefined) found = found.where("state", "=", query.state);
    if (query.false_green !== undefined) found = found.where("false_green", "=", query.false_green ? 1 : 0);
    const { total } = await found
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    const rows = await found
      .selectAll()
      .orderBy(SORT_COLUMN[query.sort], (order) => order[query.dir]().nullsLast())
      .orderBy("id", query.dir)
      .limit(query.limit)
      .offset(query.offset)
      .execute();
    return { rows, total: Number(total) };
  }

  /** Rounds that a process that ended had begun or not yet begun, the oldest first. */
  unfinished(): Promise<RoundRow[]> {
    return this.db
      .selectFrom("round")
      .selectAll()
      .where("state", "in", ["waiting", "running"])
      .orderBy("created_at_ms")
      .orderBy("id")
      .execute();
  }

  /** Digests of every artifact that a round refers to. */
  async referenced(): Promise<Set<string>> {
    const rows = await this.db
      .selectFrom("round")
      .select(["contract_sha256", "policy_sha256", "stream_sha256", "report_sha256", "view_sha256"])
      .execute();
    return new Set(rows.flatMap((row) => Object.values(row)).filter((sha256) => sha256 !== null));
  }
}
