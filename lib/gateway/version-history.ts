import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { GATE_SOURCES, type GateVersion } from "../../contract/gate-admin.ts";
import type { InputProblem, InputResult } from "../../contract/input.ts";
import { issueProblems } from "../../contract/input.ts";
import { makeDirectory, TEMPORARY_PREFIX, writeFileAtomic } from "../store/atomic-file.ts";
import { FileProblem } from "../store/file-problem.ts";
import { readSmallFile } from "../store/read-file.ts";

const VERSION_MAX_BYTES = 64 * 1024 * 1024;
const NAME = /^([0-9]{8})\.json$/;

const recordSchema = z.strictObject({
  version: z.int().min(1),
  published_ms: z.int().min(0),
  source: z.enum(GATE_SOURCES),
  note: z.string(),
  file_sha256: z.string().nullable(),
  config: z.unknown(),
});

/** One published version, as it is kept. `config` is in normal form. */
export interface VersionRecord extends GateVersion {
  /** SHA-256 of the configuration's file, where the version came from one. */
  readonly file_sha256: string | null;
  readonly config: unknown;
}

const fileOf = (version: number): string => `${String(version).padStart(8, "0")}.json`;

/**
 * Every version that was ever published, one file each, never changed: written whole before it goes live, so that after
 * a restart the gate goes on with the version it had.
 */
export class VersionHistory {
  readonly #directory: string;
  readonly #records: VersionRecord[];

  private constructor(directory: string, records: VersionRecord[]) {
    this.#directory = directory;
    this.#records = records;
  }

  /** Reads a history. A file in it that cannot be read as a version is a problem, not a version less. */
  static async open(directory: string): Promise<InputResult<VersionHistory>> {
    await makeDirectory(directory);
    const all = await readdir(directory);
    const names = all.filter((name) => NAME.test(name)).sort();
    // A process that was killed while it wrote left no version, but perhaps a part of one.
    for (const name of all.filter((one) => one.startsWith(TEMPORARY_PREFIX))) await rm(join(directory, name));
    const problems: InputProblem[] = [];
    const records: VersionRecord[] = [];
    for (const name of names) {
      const read = await readRecord(join(directory, name), Number(NAME.exec(name)![1]));
      if (read.ok) records.push(read.value);
      else problems.push(...read.problems);
    }
    if (problems.length > 0) return { ok: false, problems };
    return { ok: true, value: new VersionHistory(directory, records) };
  }

  /** The one that is live, or was when the gate ended; undefined: none was ever published. */
  get latest(): VersionRecord | undefined {
    return this.#records.at(-1);
  }

  /** Oldest first. */
  get all(): readonly VersionRecord[] {
    return this.#records;
  }

  find(version: number): VersionRecord | undefined {
    return this.#records.find((record) => record.version === version);
  }

  /** SHA-256 of the file that was published last from a file; null: none was. */
  get lastFile(): string | null {
    return this.#records.findLast(({ file_sha256 }) => file_sha256 !== null)?.file_sha256 ?? null;
  }

  /** Keeps a version before it goes live. FileProblem where it cannot be written. */
  async add(record: VersionRecord): Promise<void> {
    const file = join(this.#directory, fileOf(record.version));
    try {
      await writeFileAtomic(file, [`${JSON.stringify(record, null, 1)}\n`]);
    } catch (error) {
      // It may be in its place and yet not be sure to stay: a restart would go live with what was told as failed.
      if (this.find(record.version) === undefined) await rm(file, { force: true }).catch(() => {});
      throw error;
    }
    const after = this.#records.findIndex(({ version }) => version >= record.version);
    if (after < 0) this.#records.push(record);
    else this.#records.splice(after, this.#records[after]!.version === record.version ? 1 : 0, record);
  }

  /** Takes back a version that did not go live after all. */
  async drop(version: number): Promise<void> {
    await rm(join(this.#directory, fileOf(version)), { force: true });
    const at = this.#records.findIndex((record) => record.version === version);
    if (at >= 0) this.#records.splice(at, 1);
  }
}

async function readRecord(file: string, version: number): Promise<InputResult<VersionRecord>> {
  const refused = (message: string): InputResult<never> => ({
    ok: false,
    problems: [{ file, path: "", message }],
  });
  try {
    const value: unknown = JSON.parse(
      Buffer.from(await readSmallFile(file, VERSION_MAX_BYTES)).toString("utf8"),
    );
    const parsed = recordSchema.safeParse(value);
    if (!parsed.success) return { ok: false, problems: issueProblems(parsed.error, file) };
    if (parsed.data.version !== version)
      return refused(`is named for version ${version} but holds ${parsed.data.version}`);
    return { ok: true, value: parsed.data };
  } catch (error) {
    if (error instanceof FileProblem || error instanceof SyntaxError) return refused(error.message);
    throw error;
  }
}
