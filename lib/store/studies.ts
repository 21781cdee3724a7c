import type { Kysely } from "kysely";
import { studySeal } from "./row-seal.ts";
import type { NewStudy, Schema, StudyPatch, StudyRow } from "./schema.ts";

const UNFINISHED = ["waiting", "running"];

/** What a study refers to artifacts by. */
const REFERRING = ["artifacts", "result_sha256"] as const;

const digestsOf = ({ artifacts, result_sha256 }: Pick<StudyRow, (typeof REFERRING)[number]>): string[] => [
  ...(JSON.parse(artifacts) as string[]),
  ...(result_sha256 === null ? [] : [result_sha256]),
];

/** The table of studies: what was worked out from stored inputs beside the rounds. */
export class Studies {
  private readonly db: Kysely<Schema>;

  constructor(db: Kysely<Schema>) {
    this.db = db;
  }

  async insert(study: NewStudy): Promise<void> {
    await this.db.insertInto("study").values(study).execute();
  }

  async get(id: string): Promise<StudyRow | null> {
    return (await this.db.selectFrom("study").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
  }

  /** The latest study of the same question that is done or on its way. */
  async find(kind: string, question: string): Promise<StudyRow | null> {
    const row = await this.db
      .selectFrom("study")
      .selectAll()
      .where("kind", "=", kind)
      .where("question", "=", question)
      .where("state", "in", [...UNFINISHED, "done"])
      .orderBy("created_at_ms", "desc")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    return row ?? null;
  }

  /** The latest study of a question, however it stands. */
  async latest(kind: string, question: string): Promise<StudyRow | null> {
    const row = await this.db
      .selectFrom("study")
      .selectAll()
      .where("kind", "=", kind)
      .where("question", "=", question)
      .orderBy("created_at_ms", "desc")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    return row ?? null;
  }

  /** One statement: a study changes from one whole state to another. */
  async update(id: string, patch: StudyPatch): Promise<void> {
    await this.db.updateTable("study").set(patch).where("id", "=", id).execute();
  }

  /** Makes a study a finished one, or notes more of one, with a digest of what its row is then. */
  async finish(id: string, patch: Partial<StudyRow>): Promise<void> {
    const row = await this.get(id);
    if (row !== null) await this.update(id, { ...patch, seal: studySeal({ ...row, ...patch }) });
  }

  /** The latest studies of a kind. */
  list(kind: string, limit: number): Promise<StudyRow[]> {
    return this.db
      .selectFrom("study")
      .selectAll()
      .where("kind", "=", kind)
      .orderBy("created_at_ms", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
  }

  /** Removes a study; returns the digests of the artifacts that it referred to, null where there is none. */
  async remove(id: string): Promise<string[] | null> {
    const row = await this.db
      .deleteFrom("study")
      .where("id", "=", id)
      .returning(REFERRING)
      .executeTakeFirst();
    return row === undefined ? null : digestsOf(row);
  }

  /**
   * Removes studies of rounds that are forgotten: those, but of the lab's, that were made from an artifact that no round
   * refers to. Returns the digests that they referred to.
   */
  async sweep(ofRounds: ReadonlySet<string>): Promise<string[]> {
    const rows = await this.db
      .selectFrom("study")
      .select(["id", ...REFERRING])
      .where("kind", "!=", "faults")
      .where("state", "not in", UNFINISHED)
      .execute();
    const forgotten = rows.filter(
      ({ artifacts }) => !(JSON.parse(artifacts) as string[]).every((sha256) => ofRounds.has(sha256)),
    );
    for (const { id } of forgotten) await this.db.deleteFrom("study").where("id", "=", id).execute();
    return forgotten.flatMap(digestsOf);
  }

  /** Studies that a process that ended had begun or not yet begun, the oldest first. */
  unfinished(): Promise<StudyRow[]> {
    return this.db
      .selectFrom("study")
      .selectAll()
      .where("state", "in", UNFINISHED)
      .orderBy("created_at_ms")
      .orderBy("id")
      .execute();
  }

  /** Digests of every artifact that a study refers to. */
  async referenced(): Promise<Set<string>> {
    const rows = await this.db.selectFrom("study").select(REFERRING).execute();
    return new Set(rows.flatMap(digestsOf));
  }
}
