import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openStore, type Store } from "../store/open-store.ts";
import type { RoundRow } from "../store/schema.ts";
import { readStoredView } from "../store/stored-view.ts";
import { VIEW_FILES } from "../store/view-format.ts";
import { isNotAsJudged } from "./file-seals.ts";
import { RoundsService } from "./service.ts";
import { FULL_ACCESS } from "./sharing/shared-round.ts";
import { PROBLEM_FAULTS } from "./trials/scenario.ts";

let folder: string;
let store: Store;
let service: RoundsService;
let clean: RoundRow;
let problem: RoundRow;
/** Copies of every artifact, by digest. */
const originals = new Map<string, string>();

const digestsOf = (row: RoundRow): string[] => [
  row.contract_sha256,
  row.policy_sha256,
  row.stream_sha256,
  row.report_sha256!,
  ...VIEW_FILES.map((file) => readStoredView(row.view)![file]),
];

async function finished(faults: string[], name: string): Promise<RoundRow> {
  const { contract, policy, stream } = await service.scenario();
  const result = await service.submit({
    name,
    reading: "strict",
    faults,
    contract: { name: "contract.json", text: contract },
    policy: { name: "policy.json", text: policy },
    stream: { kind: "text", name: "requests.jsonl", text: stream },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const state = async () => (await store.rounds.get(result.id))!.state;
  await vi.waitFor(async () => expect(await state()).toBe("done"), { timeout: 50_000, interval: 20 });
  return (await store.rounds.get(result.id))!;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "round-seals-"));
  store = await openStore(join(folder, "data"));
  service = new RoundsService(store);
  clean = await finished([], "clean");
  problem = await finished([...PROBLEM_FAULTS], "problem");
  for (const sha256 of [...digestsOf(clean), ...digestsOf(problem)]) {
    originals.set(sha256, join(folder, sha256));
    await copyFile(store.artifacts.path(sha256), join(folder, sha256));
  }
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  for (const [sha256, copy] of originals) await copyFile(copy, store.artifacts.path(sha256));
  for (const row of [clean, problem]) await store.rounds.update(row.id, row);
});

const open = async (row = clean) => (await service.round(row.id))!;
const isGreen = async (row = clean): Promise<boolean> => {
  const { summary } = await open(row);
  return summary!.board.signals.some(({ claim }) => claim === "well") || summary!.truth.checks > 0;
};
const fileOf = (what: string): string => store.artifacts.path(clean[`${what}_sha256` as "report_sha256"]!);

test("a round whose files are those that were judged is as it was found", async () => {
  expect(await open()).toMatchObject({
    seal: { state: "kept", findings: [] },
    summary: JSON.parse(clean.summary!),
  });
  expect((await open(problem)).seal.state).toBe("kept");
});

test("a report with one figure changed turns every lamp off, and is not given away under its old digest", async () => {
  const path = fileOf("report");
  const text = await readFile(path, "utf8");
  expect(text).toContain('"used":37');
  await writeFile(path, text.replace('"used":37', '"used":36'));
  const { seal, summary } = await open();
  expect(seal).toMatchObject({
    state: "broken",
    findings: [{ kind: "changed", what: "report", expected: clean.report_sha256 }],
  });
  expect(summary!.board).toMatchObject({ false_green: false, true_mismatches: null });
  for (const { claim, grounded, evidence } of summary!.board.signals) {
    expect([claim, grounded]).toEqual(["unknown", false]);
    expect(evidence).toContain("is not the one that was judged: its SHA-256 is");
    expect(evidence).toContain(clean.report_sha256!.slice(0, 12));
  }
  expect(summary!.truth.checks + summary!.health.checks).toBe(0);
  expect(summary!.acceptance.every(({ passed }) => passed === null)).toBe(true);
  const refused = expect.objectContaining({ status: 409, message: expect.stringContaining("report") });
  await expect(service.file(clean.id, "report")).rejects.toEqual(refused);
  await expect(service.bundle(clean.id)).rejects.toEqual(refused);
  await expect(service.table(clean.id, { table: "checks" }, FULL_ACCESS)).rejects.toEqual(refused);
  // What is whole is given, and another round has nothing to do with it.
  expect(await service.file(clean.id, "policy")).not.toBeNull();
  expect((await open(problem)).seal.state).toBe("kept");
});

test.each(["contract", "policy", "stream", "report"] as const)(
  "a %s that is gone is told, refused as gone, and nothing is green",
  async (what) => {
    await rm(fileOf(what));
    expect((await open()).seal).toMatchObject({ state: "broken", findings: [{ kind: "missing", what }] });
    expect(await isGreen()).toBe(false);
    await expect(service.file(clean.id, what)).rejects.toMatchObject({ status: 410 });
    await expect(service.bundle(clean.id)).rejects.toSatisfy(isNotAsJudged);
    const inputs = (await service.inputs(clean.id))!;
    expect([inputs.contract.text === null, inputs.policy.text === null]).toEqual([
      what === "contract",
      what === "policy",
    ]);
  },
);

test("a tampered policy is not shown as the one that was judged", async () => {
  await writeFile(fileOf("policy"), "{}");
  expect((await service.inputs(clean.id))!.policy).toMatchObject({
    sha256: clean.policy_sha256,
    text: null,
  });
});

test("behind a link nothing is green either; a masked one tells it without digests of what holds names", async () => {
  await writeFile(fileOf("report"), "{}");
  const { token: plain } = (await service.share(clean.id, null))!;
  const { token: masked } = (await service.share(clean.id, null, { raw: false, masked: true }))!;
  expect((await service.shared(plain))!.round.seal.state).toBe("broken");
  const { round } = (await service.shared(masked))!;
  expect(round.seal.state).toBe("broken");
  expect(round.summary!.board.signals.every(({ claim }) => claim === "unknown")).toBe(true);
  const [found] = (await open()).seal.findings;
  if (found?.kind !== "changed") throw new Error("no such finding");
  for (const digest of [found.expected!, found.found!])
    expect(JSON.stringify(round)).not.toContain(digest.slice(0, 12));
});

const viewFile = (row: RoundRow, file: (typeof VIEW_FILES)[number]): string =>
  store.artifacts.path(readStoredView(row.view)![file]);
const isRemade = () =>
  vi.waitFor(
    async () => {
      const { seal, view_lost } = await open(problem);
      expect([seal.state, view_lost.length]).toEqual(["kept", 0]);
    },
    { timeout: 50_000, interval: 20 },
  );

test.each(VIEW_FILES)("rows whose file is gone are told by name and made again (%s)", async (file) => {
  const all = { result: "all", limit: 500, offset: 0 } as const;
  const before = await (await service.view(problem.id))!.places(all);
  await rm(viewFile(problem, file));
  const { seal, summary, view_lost } = await open(problem);
  expect(seal).toMatchObject({ state: "broken", findings: [{ kind: "missing" }] });
  expect(JSON.stringify(view_lost)).toContain(`(${file})`);
  expect(summary!.board.signals.every(({ claim }) => claim === "unknown")).toBe(true);
  expect(await service.view(problem.id)).toBeNull();
  await isRemade();
  expect(await (await service.view(problem.id))!.places(all)).toEqual(before);
  expect((await store.rounds.get(problem.id))!.summary).toBe(problem.summary);
});

test("rows whose file was cut are not read, also where nobody opened the round before, and made again", async () => {
  await truncate(viewFile(problem, "decisions"), 100);
  expect(await service.view(problem.id)).toBeNull();
  await isRemade();
  expect(await service.view(problem.id)).not.toBeNull();
});

test("rows are not made again of inputs that are not those that were judged; it is tried at the next start", async () => {
  await rm(viewFile(problem, "places"));
  await writeFile(store.artifacts.path(problem.stream_sha256), "");
  await open(problem);
  const why = async () => (await store.rounds.get(problem.id))!.view_problem;
  await vi.waitFor(async () => expect(await why()).toContain("stream"), { timeout: 50_000, interval: 20 });
  expect(await why()).toContain("tried once more at the next start");
  expect(await store.rounds.withOldView()).toEqual([problem.id]);
  await copyFile(originals.get(problem.stream_sha256)!, store.artifacts.path(problem.stream_sha256));
  await service.resume();
  await isRemade();
});

test("a verdict of another round in the database is belied by the rows, with both numbers", async () => {
  const { summary, outcome, card } = clean;
  await store.rounds.update(problem.id, { summary, outcome, card, false_green: 0 });
  const { seal, summary: shown } = await open(problem);
  expect(seal).toMatchObject({ state: "broken", findings: [{ kind: "entry" }, { kind: "disagree" }] });
  const { truth } = JSON.parse(problem.summary!);
  const [, finding] = seal.findings;
  if (finding?.kind !== "disagree") throw new Error("no such finding");
  expect(finding.rows).toContain(`${truth.mismatches + truth.indeterminate} that differ`);
  expect(finding.verdict).toContain(" 0 mismatched");
  expect(shown!.board.signals.every(({ claim }) => claim === "unknown")).toBe(true);
});

test.each(["truth", "board", "table"] as const)(
  "a verdict that was made well in one place alone is belied (%s)",
  async (part) => {
    const well = { ...JSON.parse(problem.summary!), [part]: JSON.parse(clean.summary!)[part] };
    await store.rounds.update(problem.id, { summary: JSON.stringify(well) });
    expect((await open(problem)).seal.state).toBe("broken");
  },
);
