import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import { resealedView, roundSeal } from "./row-seal.ts";
import type { NewRound, RoundPatch, RoundRow, Schema } from "./schema.ts";
import { digestsIn, readStoredView, TRIED_AGAIN } from "./stored-view.ts";

/** Which rounds: each part that is given must hold. */
export interface RoundFilter {
  /** Part of the name or of the stream's name. */
  search?: string;
  /** Outcomes of finished rounds, or states of others; any of them. */
  statuses?: readonly string[];
  false_green?: boolean;
  /** Part of the name of a tenant that occurs. */
  tenant?: string;
  /** First digits of the stream's SHA-256, or part of its name. */
  stream?: string;
  /** Started at or after, and before. */
  from_ms?: number;
  to_ms?: number;
  /** Removed rounds that can still be put back, instead of those that are there. */
  removed?: boolean;
}

export interface RoundQuery extends RoundFilter {
  sort: "created" | "name" | "requests";
  dir: "asc" | "desc";
  limit: number;
  offset: number;
}

/** What of a round the list needs: its summary and its problem are too long to be read fifty times. */
const LISTED = [
  "id",
  "name",
  "state",
  "created_at_ms",
  "faults",
  "contract_sha256",
  "policy_sha256",
  "stream_name",
  "stream_sha256",
  "report_sha256",
  "view_sha256",
  "view",
  "deleted_at_ms",
  "card",
  "audit",
  "requests",
  "false_green",
  "outcome",
  "seal",
] as const;
export type ListedRow = Pick<RoundRow, (typeof LISTED)[number]> & { message: string | null };

/** What a round refers to artifacts by. */
const REFERRING = [
  "contract_sha256",
  "policy_sha256",
  "stream_sha256",
  "report_sha256",
  "view_sha256",
  "view",
] as const;

function digestsOf({ view, ...files }: Pick<RoundRow, (typeof REFERRING)[number]>): string[] {
  const digests = [...Object.values(files), ...(view === null ? [] : digestsIn(view))];
  return digests.filter((sha256) => sha256 !== null);
}

const SORT_COLUMN = { created: "created_at_ms", name: "name", requests: "requests" } as const;
/** A stream that is named by so many hex digits is meant by its SHA-256. */
const DIGEST_PART = /^[0-9a-f]{8,64}$/;
/** Bound values of one statement. */
const NAMES_AT_ONCE = 500;

/** Text as a LIKE pattern that finds it anywhere; its own wildcards stand for themselves. */
export const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, (mark) => `\\${mark}`)}%`;

/** In lower case on both sides: SQLite would not tell capitals of ASCII apart, PostgreSQL would. */
const isLike = (column: "round.name" | "round.stream_name" | "tenant_name.name", text: string) =>
  sql<boolean>`lower(${sql.ref(column)}) like lower(${likeText(text)}) escape '\\'`;

type Selection = SelectQueryBuilder<Schema, "round", object>;

function whereFacts(found: Selection, filter: RoundFilter): Selection {
  let rounds = found;
  if (filter.statuses !== undefined)
    rounds = rounds.where(sql`coalesce(outcome, state)`, "in", filter.statuses);
  // A constant, not a parameter: only so does the index of false greens serve.
  if (filter.false_green === true) rounds = rounds.where(sql<boolean>`false_green = 1`);
  if (filter.false_green === false) rounds = rounds.where(sql<boolean>`false_green = 0`);
  if (filter.from_ms !== undefined) rounds = rounds.where("created_at_ms", ">=", filter.from_ms);
  if (filter.to_ms !== undefined) rounds = rounds.where("created_at_ms", "<", filter.to_ms);
  return rounds;
}

function whereNames(found: Selection, { search, tenant, stream }: RoundFilter): Selection {
  let rounds = found;
  if (search)
    rounds = rounds.where((eb) => eb.or([isLike("round.name", search), isLike("round.stream_name", search)]));
  if (tenant)
    rounds = rounds.where("id", "in", (eb) =>
      eb
        .selectFrom("round_tenant")
        .select("round_id")
        .where("tenant_id", "in", (names) =>
          names.selectFrom("tenant_name").select("tenant_name.id").where(isLike("tenant_name.name", tenant)),
        ),
    );
  if (stream && DIGEST_PART.test(stream))
    rounds = rounds.where("stream_sha256", ">=", stream).where("stream_sha256", "<", `${stream}g`);
  else if (stream) rounds = rounds.where(isLike("round.stream_name", stream));
  return rounds;
}

/** The table of rounds. A round that was removed is in no answer, but where it is asked for as such. */
export class Rounds {
  private readonly db: Kysely<Schema>;

  constructor(db: Kysely<Schema>) {
    this.db = db;
  }

  async insert(round: NewRound): Promise<void> {
    await this.db.insertInto("round").values(round).execute();
  }

  async get(id: string): Promise<RoundRow | null> {
    const row = await this.db
      .selectFrom("round")
      .selectAll()
      .where("id", "=", id)
      .where("deleted_at_ms", "is", null)
      .executeTakeFirst();
    return row ?? null;
  }

  /** One statement: a round changes from one whole state to another. */
  async update(id: string, patch: RoundPatch): Promise<void> {
    await this.db.updateTable("round").set(patch).where("id", "=", id).execute();
  }

  /** Makes a round a finished one, or notes more of it, with digests of what its row is then. */
  async finish(id: string, patch: Partial<RoundRow>): Promise<void> {
    const row = await this.db.selectFrom("round").selectAll().where("id", "=", id).executeTakeFirst();
    if (row !== undefined) await this.update(id, { ...patch, seal: roundSeal({ ...row, ...patch }) });
  }

  /** Gives a finished round a view that was made again; whatever else of its row was changed by hand stays found. */
  async giveView(id: string, view: string): Promise<void> {
    const row = await this.db.selectFrom("round").selectAll().where("id", "=", id).executeTakeFirst();
    const patch = { view, view_sha256: null, view_problem: null };
    if (row !== undefined) await this.update(id, { ...patch, seal: resealedView({ ...row, ...patch }) });
  }

  /** Notes of a finished round what became of its view; false where it has another view meanwhile. */
  async replaceView(id: string, former: string | null, view: string): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable("round")
      .set({ view, view_problem: null })
      .where("id", "=", id)
      .where("view", "is", former)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  private where(filter: RoundFilter): Selection {
    const removed = filter.removed === true ? "is not" : "is";
    return whereNames(
      whereFacts(this.db.selectFrom("round").where("deleted_at_ms", removed, null), filter),
      filter,
    );
  }

  /** A page of rounds and how many there are in all. Places are found in an index; only the page's rows are read. */
  async list(query: RoundQuery): Promise<{ rows: ListedRow[]; total: number }> {
    const found = this.where(query);
    const { total } = await found
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    const rows = await this.db
      .selectFrom(this.page(query).as("page"))
      .innerJoin("round", "round.id", "page.id")
      .select([
        ...LISTED.map((column) => `round.${column}` as const),
        sql<string | null>`json_extract(problem, '$.message')`.as("message"),
      ])
      .orderBy(`round.${SORT_COLUMN[query.sort]}`, (order) => order[query.dir]().nullsLast())
      .orderBy("round.id", query.dir)
      .execute();
    return { rows, total: Number(total) };
  }

  private page(query: RoundQuery) {
    return this.where(query)
      .select("id")
      .orderBy(SORT_COLUMN[query.sort], (order) =>
        // What was not counted is less than any number, and so last already.
        query.dir === "desc" ? order.desc() : order.asc().nullsLast(),
      )
      .orderBy("id", query.dir)
      .limit(query.limit)
      .offset(query.offset);
  }

  /** How SQLite would find a page and its count: one line a step. */
  async plan(query: RoundQuery): Promise<string[]> {
    const steps: string[] = [];
    for (const part of [this.page(query), this.where(query).select((eb) => eb.fn.countAll().as("total"))])
      for (const { detail } of await part.explain<{ detail: string }>(undefined, sql`query plan`))
        steps.push(detail);
    return steps;
  }

  /**
   * Removes rounds so that they can be put back: those of the ids, or all that a filter finds. `batch_ms` is the time,
   * and names the batch.
   */
  async remove(which: readonly string[] | RoundFilter, batch_ms: number): Promise<number> {
    const ids = Array.isArray(which)
      ? sql<string>`(select value from json_each(${JSON.stringify(which)}))`
      : this.where(which as RoundFilter).select("id");
    const { numUpdatedRows } = await this.db
      .updateTable("round")
      .set({ deleted_at_ms: batch_ms })
      .where("deleted_at_ms", "is", null)
      .where("id", "in", ids)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  /** Ids and states of the removed rounds of a batch. */
  removedIn(batch_ms: number): Promise<Pick<RoundRow, "id" | "state" | "requeue">[]> {
    return this.db
      .selectFrom("round")
      .select(["id", "state", "requeue"])
      .where("deleted_at_ms", "=", batch_ms)
      .execute();
  }

  /** Those of some rounds that are removed. */
  async removedAmong(ids: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .selectFrom("round")
      .select("id")
      .where("deleted_at_ms", "is not", null)
      .where("id", "in", sql<string>`(select value from json_each(${JSON.stringify(ids)}))`)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Puts back a removed round. One that was removed before it was done waits again: then the answer is true. */
  async restore(id: string): Promise<boolean> {
    const again = await this.db
      .updateTable("round")
      .set({ deleted_at_ms: null, requeue: null, state: "waiting", finished_at_ms: null, problem: null })
      .where("id", "=", id)
      .where("deleted_at_ms", "is not", null)
      .where((eb) => eb.or([eb("requeue", "=", 1), eb("state", "in", ["waiting", "running"])]))
      .executeTakeFirst();
    if (again.numUpdatedRows > 0n) return true;
    await this.db.updateTable("round").set({ deleted_at_ms: null }).where("id", "=", id).execute();
    return false;
  }

  /** Forgets rounds that were removed before a time; returns the digests of every artifact that they referred to. */
  async sweep(before_ms: number): Promise<string[]> {
    const rows = await this.db
      .deleteFrom("round")
      .where("deleted_at_ms", "<", before_ms)
      .returning(REFERRING)
      .execute();
    return rows.flatMap(digestsOf);
  }

  /** Notes which tenants occur in a round; again is no harm. In parts, so that other statements come between. */
  async addTenants(round_id: string, names: readonly string[]): Promise<void> {
    for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
      const part = JSON.stringify(names.slice(at, at + NAMES_AT_ONCE));
      await sql`INSERT OR IGNORE INTO tenant_name (name) SELECT value FROM json_each(${part})`.execute(
        this.db,
      );
      await sql`INSERT OR IGNORE INTO round_tenant (tenant_id, round_id)
        SELECT id, ${round_id} FROM tenant_name WHERE name IN (SELECT value FROM json_each(${part}))`.execute(
        this.db,
      );
    }
  }

  /** Finished rounds of an older version, which noted neither outcome nor tenants. */
  unlisted(): Promise<RoundRow[]> {
    return this.db
      .selectFrom("round")
      .selectAll()
      .where("state", "=", "done")
      .where("outcome", "is", null)
      .execute();
  }

  /** Rounds that a process that ended had begun or not yet begun, the oldest first. */
  unfinished(): Promise<RoundRow[]> {
    return this.db
      .selectFrom("round")
      .selectAll()
      .where("deleted_at_ms", "is", null)
      .where("state", "in", ["waiting", "running"])
      .orderBy("created_at_ms")
      .orderBy("id")
      .execute();
  }

  /** Finished rounds whose view is of an older format, or lost, and may be made again, the newest first: those are looked at soonest. */
  async withOldView(): Promise<string[]> {
    const rows = await this.db
      .selectFrom("round")
      .select(["id", "view"])
      .where("deleted_at_ms", "is", null)
      .where("state", "=", "done")
      .where((eb) => eb.or([eb("view_problem", "is", null), eb("view_problem", "like", `${TRIED_AGAIN}%`)]))
      .orderBy("created_at_ms", "desc")
      .execute();
    return rows.filter(({ view }) => readStoredView(view) === null).map(({ id }) => id);
  }

  /** Digests of every artifact that a round refers to, also a removed one. */
  async referenced(): Promise<Set<string>> {
    const rows = await this.db.selectFrom("round").select(REFERRING).execute();
    return new Set(rows.flatMap(digestsOf));
  }
}
