import { copyFile, link, mkdtemp, rename, rm, stat, symlink, truncate, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openStore, type Store } from "../store/open-store.ts";
import type { RoundRow } from "../store/schema.ts";
import { readStoredView } from "../store/stored-view.ts";
import { VIEW_FILES } from "../store/view-format.ts";
import { isNotAsJudged } from "./file-seals.ts";
import { RoundsService } from "./service.ts";
import { FULL_ACCESS } from "./sharing/shared-round.ts";

let folder: string;
let store: Store;
let service: RoundsService;
/** Two clean rounds of the same documents: what one says of the other is not seen to be false. */
let row: RoundRow;
let other: RoundRow;
let token: string;
let database: Database.Database;
const originals = new Map<string, string>();

async function finished(tenth: string): Promise<RoundRow> {
  const { contract, policy, stream } = await service.scenario();
  const result = await service.submit({
    name: `round ${tenth}`,
    reading: "strict",
    faults: [],
    contract: { name: "contract.json", text: contract },
    policy: { name: "policy.json", text: policy },
    stream: { kind: "text", name: `${tenth}.jsonl`, text: stream.replaceAll("req-", `${tenth}-`) },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const state = async () => (await store.rounds.get(result.id))!.state;
  await vi.waitFor(async () => expect(await state()).toBe("done"), { timeout: 50_000, interval: 20 });
  return (await store.rounds.get(result.id))!;
}
const digestsOf = (of: RoundRow): Record<string, string> => ({
  contract: of.contract_sha256,
  policy: of.policy_sha256,
  stream: of.stream_sha256,
  report: of.report_sha256!,
  ...readStoredView(of.view)!,
});
const path = (sha256: string) => store.artifacts.path(sha256);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tampered-rows-"));
  store = await openStore(join(folder, "data"));
  service = new RoundsService(store);
  row = await finished("one");
  other = await finished("two");
  ({ token } = (await service.share(row.id, null))!);
  database = new Database(join(folder, "data", "tenantthrottle.sqlite"));
  for (const sha256 of [...Object.values(digestsOf(row)), ...Object.values(digestsOf(other))]) {
    originals.set(sha256, join(folder, sha256));
    await copyFile(path(sha256), join(folder, sha256));
  }
});
afterAll(async () => {
  // Whatever was made again meanwhile is over before this one is.
  await restore();
  await finished("last");
  database.close();
  await store.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => restore());

/** Files and rows as they were. */
async function restore(): Promise<void> {
  for (const [sha256, copy] of originals) {
    await rm(path(sha256), { force: true });
    await copyFile(copy, path(sha256));
  }
  for (const kept of [row, other]) await store.rounds.update(kept.id, kept);
}

/** Of a bundle the rows are no part: it is given where they alone are others. */
const ofRows = (what: string): boolean =>
  (VIEW_FILES as readonly string[]).includes(what) || what.startsWith("view");

/** Everything that could say well of the round, and says so. */
async function saysWell(changed = ""): Promise<string[]> {
  const well: string[] = [];
  const rounds = { page: await service.round(row.id), link: (await service.shared(token))?.round ?? null };
  for (const [where, round] of Object.entries(rounds)) {
    if (round === null || round.state !== "done") continue;
    if (round.seal.state === "kept") well.push(`${where}: seal`);
    const { summary } = round;
    if (summary === null) continue;
    if (summary.board.signals.some(({ claim }) => claim === "well")) well.push(`${where}: lamps`);
    if (summary.truth.checks > 0 || summary.health.checks > 0) well.push(`${where}: checks`);
    if (summary.acceptance.some(({ passed }) => passed === true)) well.push(`${where}: acceptance`);
    if ((await service.notAsJudged(row.id, FULL_ACCESS)).length === 0) well.push(`${where}: rows`);
  }
  const gives = async (what: string, work: () => Promise<unknown>) => {
    try {
      if ((await work()) !== null) well.push(what);
    } catch (error) {
      if (!isNotAsJudged(error)) throw error;
    }
  };
  if (!ofRows(changed)) await gives("bundle", () => service.bundle(row.id));
  await gives("export", () => service.table(row.id, { table: "checks" }, FULL_ACCESS));
  return well;
}
const listedWell = async (): Promise<boolean> => {
  const { rows } = await service.list({ sort: "created", dir: "asc", limit: 9, offset: 0 });
  return rows.some(({ id, card }) => id === row.id && card !== null);
};

test("a round that is whole says well everywhere, so that what follows is about something", async () => {
  expect(await saysWell()).toEqual([
    "page: seal",
    "page: lamps",
    "page: checks",
    "page: acceptance",
    "page: rows",
    "link: seal",
    "link: lamps",
    "link: checks",
    "link: acceptance",
    "link: rows",
    "bundle",
    "export",
  ]);
  expect(await listedWell()).toBe(true);
});

/** Columns that say nothing of what a round came to. */
const OF_NO_VERDICT = new Set(["deleted_at_ms", "requeue", "view_problem"]);
/** A text or number of the column's kind that is another one. */
function another(column: string, value: unknown): string | number | null {
  const theirs = (other as Record<string, unknown>)[column] as string | number | null;
  if (theirs !== value) return theirs;
  if (typeof value === "number") return value + 1;
  if (value === null) return column.endsWith("_sha256") ? other.stream_sha256 : "{}";
  return `${value}`.length === 64 ? other.stream_sha256 : `${value} `;
}
const tableInfo = () => database.pragma("table_info(round)") as { name: string; notnull: number }[];
const write = (column: string, value: unknown): void => {
  database.prepare(`UPDATE round SET "${column}" = ? WHERE id = ?`).run(value, row.id);
};

test("whatever column of a finished round is changed by hand in the database, nothing says well of it", async () => {
  const changed: string[] = [];
  for (const { name: column, notnull } of tableInfo()) {
    if (column === "id" || OF_NO_VERDICT.has(column)) continue;
    const value = (row as Record<string, unknown>)[column];
    const others = [another(column, value), "no JSON {", ...(notnull === 0 && value !== null ? [null] : [])];
    for (const written of others) {
      if (written === value) continue;
      write(column, written);
      expect(await saysWell(column), `${column} = ${written}`).toEqual([]);
      // A list that reads no summaries sees what it shows.
      if (["card", "outcome", "false_green", "report_sha256", "view", "state", "seal"].includes(column))
        expect(await listedWell(), `${column} = ${written}`).toBe(false);
      changed.push(column);
      await store.rounds.update(row.id, row);
    }
  }
  expect(new Set(changed).size).toBeGreaterThan(25);
});

test("two rounds whose reports, views or verdicts change places in the database are told, though each file is whole", async () => {
  for (const column of ["report_sha256", "view", "summary", "stream_sha256", "name", "seal"] as const) {
    if (row[column] === other[column]) continue;
    await store.rounds.update(row.id, { [column]: other[column] });
    await store.rounds.update(other.id, { [column]: row[column] });
    expect(await saysWell(column), column).toEqual([]);
    for (const kept of [row, other]) await store.rounds.update(kept.id, kept);
  }
});

test("a view that is null in the database is told and made again without a restart, and a view of another round too", async () => {
  for (const view of [null, other.view, "{", "7"]) {
    write("view", view);
    expect(await service.view(row.id)).toBeNull();
    const { seal } = (await service.round(row.id))!;
    expect(seal).toMatchObject({ state: "broken", findings: [{ kind: "entry" }] });
    await vi.waitFor(async () => expect((await service.round(row.id))!.seal.state).toBe("kept"), {
      timeout: 50_000,
      interval: 20,
    });
    const { view: again, seal: sealed, ...rest } = (await store.rounds.get(row.id))!;
    const { view: _, seal: __, ...before } = row;
    expect(rest).toEqual(before);
    expect(JSON.parse(again!)).toEqual(JSON.parse(row.view!));
    expect(JSON.parse(sealed!)).toEqual(JSON.parse(row.seal!));
  }
});

test("rows are made again of no verdict that was changed by hand, and what was changed is not written anew as if it were so", async () => {
  await store.rounds.update(row.id, { view: null, summary: other.summary });
  await vi.waitFor(
    async () => {
      await service.round(row.id);
      expect(readStoredView((await store.rounds.get(row.id))!.view)).not.toBeNull();
    },
    { timeout: 50_000, interval: 20 },
  );
  expect(await saysWell()).toEqual([]);
});

test("a list of an older version is noted anew of no summary that was changed by hand", async () => {
  await store.rounds.update(row.id, {
    outcome: null,
    summary: row.summary!.replace('"ok":true', '"ok":false'),
  });
  await service.resume();
  expect(await saysWell()).toEqual([]);
});

const FILES = ["contract", "policy", "stream", "report", ...VIEW_FILES] as const;
const TAMPERINGS: Record<string, (file: string, its: string, theirs: string) => Promise<void>> = {
  "cut to its half": async (file) => truncate(file, Math.floor((await stat(file)).size / 2)),
  "made empty": (file) => truncate(file, 0),
  "made longer by a zero": async (file) => truncate(file, (await stat(file)).size + 1),
  removed: (file) => rm(file),
  "in another round's place": async (file, _, theirs) => {
    await copyFile(theirs, file);
  },
  "another's under its own times": async (file, _, theirs) => {
    const { atime, mtime } = await stat(file);
    await copyFile(theirs, file);
    await utimes(file, atime, mtime);
  },
  "a link to another's": async (file, _, theirs) => {
    await rm(file);
    await symlink(theirs, file);
  },
  "a hard link to another's": async (file, _, theirs) => {
    await rm(file);
    await link(theirs, file);
  },
  "a link to itself": async (file) => {
    await rm(file);
    await symlink(file, file);
  },
  "a device without an end": async (file) => {
    await rm(file);
    await symlink("/dev/zero", file);
  },
  "exchanged with another's": async (file, _, theirs) => {
    await rename(file, `${file}.x`);
    await rename(theirs, file);
    await rename(`${file}.x`, theirs);
  },
};

test.each(Object.keys(TAMPERINGS))("a file of a round that is %s lets nothing say well", async (how) => {
  for (const what of FILES) {
    const [its, theirs] = [digestsOf(row)[what]!, digestsOf(other)[what]!];
    // Both have the same documents: another file is in their place.
    const stranger = its === theirs ? digestsOf(other).stream! : theirs;
    await TAMPERINGS[how]!(path(its), its, path(stranger));
    expect(await saysWell(what), what).toEqual([]);
    await restore();
  }
});
