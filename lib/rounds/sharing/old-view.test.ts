import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openStore, type Store } from "../../store/open-store.ts";
import type { RoundRow } from "../../store/schema.ts";
import { VIEW_FORMAT } from "../../store/view-format.ts";
import { RoundsService } from "../service.ts";
import { FULL_ACCESS } from "./shared-round.ts";

const EVERYTHING = { limit: 500, offset: 0 };
const IN_ORDER = { sort: "dispatch", dir: "asc", ...EVERYTHING } as const;

let folder: string;
let store: Store;
let service: RoundsService;
let id: string;
let finished: RoundRow;

const rowOf = async (): Promise<RoundRow> => (await store.rounds.get(id))!;
const until = (isSo: (row: RoundRow) => boolean): Promise<void> =>
  vi.waitFor(async () => expect(isSo(await rowOf())).toBe(true), { timeout: 50_000, interval: 20 });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "old-view-"));
  store = await openStore(folder);
  service = new RoundsService(store);
  const { contract, policy, stream } = await service.scenario();
  const result = await service.submit({
    reading: "strict",
    faults: ["silent-breach"],
    contract: { name: "contract.json", text: contract },
    policy: { name: "policy.json", text: policy },
    stream: { kind: "text", name: "requests.jsonl", text: stream },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  id = result.id;
  await until(({ state }) => state === "done");
  finished = await rowOf();
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** The round as an older version left it: its view is one SQLite file, or has another format's number. */
async function makeOld(how: "sqlite" | "format", changes: Partial<RoundRow> = {}): Promise<void> {
  const { sha256 } = await store.artifacts.put(["an SQLite file"]);
  const old = JSON.stringify({ ...JSON.parse(finished.view!), format: VIEW_FORMAT - 1 });
  const columns = how === "sqlite" ? { view: null, view_sha256: sha256 } : { view: old, view_sha256: null };
  await store.rounds.finish(id, { ...finished, ...columns, ...changes });
}

test.each(["sqlite", "format"] as const)(
  "a view of an older version (%s) is made again at the start, and nothing else of the round changes",
  async (how) => {
    const before = await (await service.view(id))!.decisions(IN_ORDER);
    await makeOld(how);
    expect(await service.view(id)).toBeNull();
    expect(await service.table(id, { table: "breaches" }, FULL_ACCESS)).toBeNull();
    expect((await service.round(id))!.summary).toEqual(JSON.parse(finished.summary!));
    await service.resume();
    await until(({ view }) => view !== null && JSON.parse(view).format === VIEW_FORMAT);
    expect(await rowOf()).toEqual({ ...finished, view: (await rowOf()).view });
    expect(await (await service.view(id))!.decisions(IN_ORDER)).toEqual(before);
  },
);

test("where the report would be another one, the rows are not shown for it, and that is said", async () => {
  const { sha256 } = await store.artifacts.put(["the report of another version"]);
  await makeOld("sqlite", { report_sha256: sha256 });
  await service.resume();
  await until(({ view_problem }) => view_problem !== null);
  const { view_problem, ...rest } = await rowOf();
  expect(view_problem).toContain("another report");
  expect(rest).toMatchObject({ state: "done", report_sha256: sha256, view: null, summary: finished.summary });
  expect(await service.view(id)).toBeNull();
  expect((await service.round(id))!.view_problem).toBe(view_problem);
  // It is not tried again and again.
  expect(await store.rounds.withOldView()).toEqual([]);
});

test("where the inputs can no longer be decided, the round stays a finished one without rows", async () => {
  const { sha256 } = await store.artifacts.put(["no contract"]);
  await makeOld("sqlite", { contract_sha256: sha256 });
  await service.resume();
  await until(({ view_problem }) => view_problem !== null);
  expect(await rowOf()).toMatchObject({ state: "done", problem: null, summary: finished.summary });
});

test("what failed and need not fail again is tried at the next start", async () => {
  await makeOld("sqlite", { faults: JSON.stringify(["no-such-fault"]) });
  await service.resume();
  await until(({ view_problem }) => view_problem !== null);
  expect((await rowOf()).view_problem).toContain("tried once more at the next start");
  expect(await store.rounds.withOldView()).toEqual([id]);
  await store.rounds.update(id, { faults: finished.faults });
  await service.resume();
  await until(({ view }) => view !== null);
  expect(await rowOf()).toMatchObject({ state: "done", view_problem: null, summary: finished.summary });
});
