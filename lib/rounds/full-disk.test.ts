import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import * as atomic from "../store/atomic-file.ts";
import { asFileProblem, isFileProblem } from "../store/file-problem.ts";
import { openStore, type Store } from "../store/open-store.ts";
import { MAPPING } from "./logs/combined-log.ts";
import { RoundsService } from "./service.ts";
import { askStudy } from "./studies/ask-study.ts";
import { Comparisons } from "./studies/comparisons.ts";
import { FaultStudies } from "./studies/fault-studies.ts";
import { StartStateStudies } from "./studies/start-state-studies.ts";
import { Studies } from "./studies/studies.ts";
import { WitnessStudies } from "./studies/witness-studies.ts";
import { told, whyNot } from "./why-not.ts";

let folder: string;
let store: Store;
let rounds: RoundsService;
let studies: Studies;
let round: string;
/** The store's own connection. */
let database: Database.Database;

const submission = async (name = "a round") => {
  const { contract, policy, stream } = await rounds.scenario();
  return {
    name,
    reading: "strict" as const,
    faults: ["queue-forever"],
    contract: { name: "contract.json", text: contract },
    policy: { name: "policy.json", text: policy },
    stream: { kind: "text" as const, name: "requests.jsonl", text: stream },
  };
};
const artifacts = async (): Promise<string[]> => {
  const found = await readdir(store.artifacts.folder, { withFileTypes: true, recursive: true });
  return found
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "full-disk-"));
  const opened = vi.spyOn(Database.prototype, "pragma");
  store = await openStore(folder);
  const connections = opened.mock.contexts as Database.Database[];
  database = connections.find(({ name }) => name.endsWith("tenantthrottle.sqlite"))!;
  opened.mockRestore();
  rounds = new RoundsService(store);
  studies = new Studies(store, askStudy(store));
  const { contract, policy } = await submission();
  await rounds.documents.seed({ contract, policy }, "Scenario");
  const started = await rounds.submit(await submission());
  if (!started.ok) throw new Error(JSON.stringify(started.problems));
  round = started.id;
  const state = async () => (await store.rounds.get(round))!.state;
  await vi.waitFor(async () => expect(await state()).toBe("done"), { timeout: 50_000, interval: 20 });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});
afterEach(() => {
  database.pragma("query_only = 0");
  vi.restoreAllMocks();
});

/** From now on the database takes nothing, as on a disk that is read-only. */
function refuseRows(): void {
  vi.spyOn(console, "error").mockImplementation(() => {});
  database.pragma("query_only = 1");
}
/** From now on no file can be written. */
function refuseFiles(code: string): void {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(atomic, "writeFileAtomic").mockImplementation(async (path) => {
    throw asFileProblem(path, Object.assign(new Error(code), { code }));
  });
}

const REFUSED = /could not be stored.*(cannot be written|no space left|read-only|denied)/;

const WRITES: [name: string, write: () => Promise<unknown>][] = [
  ["a link", () => rounds.share(round, null)],
  ["a link's end", () => rounds.revoke("no-link")],
  ["a withdrawn deviation", () => rounds.withdrawDeviation(round, "none")],
  ["a removal", () => rounds.removed.remove([round])],
  ["a forgotten mapping", () => rounds.mappings.remove("none")],
  ["a comparison", () => new Comparisons(store, rounds, studies).start(round, round)],
  ["start states", () => new StartStateStudies(store, studies).start(round)],
  ["a witness", () => new WitnessStudies(store, rounds, studies).start(round, "nobody")],
  ["a removed study", () => studies.remove("none")],
];

test.each(WRITES)("that %s cannot be stored is told in words, and nothing is changed", async (_, write) => {
  refuseRows();
  const before = database.prepare("SELECT total_changes()").pluck().get();
  expect(await told(write)).toMatch(REFUSED);
  expect(database.prepare("SELECT total_changes()").pluck().get()).toBe(before);
  expect((await store.rounds.get(round))!.deleted_at_ms).toBeNull();
});

test("a deviation and a mapping that cannot be stored are problems, like any other that is wrong with them", async () => {
  const view = (await rounds.view(round))!;
  const [place] = (await view.places({ result: "mismatch", limit: 1, offset: 0 })).rows;
  refuseRows();
  const note = { reason: "known", by: "me", scope: "place" };
  const recorded = await rounds.recordDeviation(round, place!.position, note);
  expect(recorded).toEqual({ ok: false, problem: expect.stringMatching(REFUSED) });
  const problems = await rounds.mappings.save("mine", MAPPING);
  expect(problems).toEqual([{ file: "mapping", path: "", message: expect.stringMatching(REFUSED) }]);
  expect(await rounds.mappings.list()).toEqual([]);
});

test.each(["ENOSPC", "EROFS", "EACCES", "EDQUOT"])(
  "a version of a document that the disk does not take (%s) is told so, and nothing of it is kept",
  async (code) => {
    const { contract, policy } = await submission();
    const edited = { ...contract, text: `${contract.text}\n` };
    const [before, versions] = [await artifacts(), await rounds.documents.list("contract")];
    refuseFiles(code);
    const kept = await rounds.documents.keep("contract", "Scenario", 1, { contract: edited, policy });
    expect(kept).toMatchObject({ kind: "unstored", problem: expect.stringMatching(REFUSED) });
    expect(await artifacts()).toEqual(before);
    expect(await rounds.documents.list("contract")).toEqual(versions);
  },
);

test("a version whose file is stored and whose row is not leaves no file", async () => {
  const { contract, policy } = await submission();
  const edited = { ...contract, text: `${contract.text}\n\n` };
  const before = await artifacts();
  refuseRows();
  const kept = await rounds.documents.keep("contract", "Scenario", 1, { contract: edited, policy });
  expect(kept).toMatchObject({ kind: "unstored" });
  expect(await artifacts()).toEqual(before);
});

test("a round, an audit and a study of given inputs that cannot be stored are problems, and leave no file", async () => {
  const given = await submission("another");
  const inputs = { ...given, stream: { ...given.stream, text: `${given.stream.text}\n` } };
  const report = { kind: "text" as const, name: "report.json", text: "{ }" };
  const before = await artifacts();
  refuseRows();
  const lab = new FaultStudies(store, rounds, studies);
  const told = [
    await rounds.submit(inputs),
    await rounds.audit({ ...inputs, report, exit_status: null }),
    await lab.start(inputs, ["queue-forever"], 100),
    await lab.startOfRound(round, ["queue-forever"], 100),
  ];
  for (const result of told) {
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).toContain("could not be stored: the database cannot be written");
  }
  expect(await artifacts()).toEqual(before);
});

test("a full disk keeps nobody from looking: a shared round opens though its count cannot be stored, and rows that are lost are told", async () => {
  const { token } = (await rounds.share(round, null))!;
  const row = (await store.rounds.get(round))!;
  await rm(store.artifacts.path(JSON.parse(row.view!).places));
  refuseRows();
  const shared = await rounds.shared(token, true);
  expect(shared!.round.id).toBe(round);
  expect(shared!.round.seal.findings).toMatchObject([{ kind: "missing" }]);
});

test("an error that is none of the disk is not told as one", () => {
  expect(() => whyNot(new TypeError("a bug"))).toThrow("a bug");
  expect(isFileProblem(asFileProblem("x", Object.assign(new Error(), { code: "SQLITE_IOERR_WRITE" })))).toBe(
    true,
  );
});
