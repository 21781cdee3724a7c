import { copyFile, mkdtemp, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openStore, type Store } from "../store/open-store.ts";
import type { RoundRow } from "../store/schema.ts";
import { RoundsService } from "./service.ts";
import { exportList } from "./sharing/export-list.ts";

let folder: string;
let store: Store;
let service: RoundsService;
let row: RoundRow;
let other: RoundRow;
const originals = new Map<string, string>();
const QUERY = { sort: "created", dir: "asc", limit: 50, offset: 0 } as const;

async function finished(faults: string[]): Promise<RoundRow> {
  const { contract, policy, stream } = await service.scenario();
  const result = await service.submit({
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
const path = (sha256: string | null) => store.artifacts.path(sha256!);
const listed = async (reads = false) => {
  const { rows } = await service.list(QUERY, reads);
  return rows.find(({ id }) => id === row.id)!;
};
/** The list once all that it shows was read in passing. */
const known = () =>
  vi.waitFor(
    async () => {
      const { rows } = await service.list(QUERY, true);
      expect(rows.every(({ seal }) => seal.state !== "reading" && seal.state !== "unread")).toBe(true);
      return rows.find(({ id }) => id === row.id)!;
    },
    { timeout: 20_000, interval: 50 },
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "listed-seals-"));
  store = await openStore(join(folder, "data"));
  service = new RoundsService(store);
  row = await finished([]);
  other = await finished(["queue-forever"]);
  for (const sha256 of [row.contract_sha256, row.policy_sha256, row.stream_sha256, row.report_sha256!]) {
    originals.set(sha256, join(folder, sha256));
    await copyFile(path(sha256), join(folder, sha256));
  }
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  for (const [sha256, copy] of originals) await copyFile(copy, path(sha256));
  for (const kept of [row, other]) await store.rounds.update(kept.id, kept);
  await known();
});

test("a round whose files were read and not touched since is listed as it was found, and nothing is read for it", async () => {
  const read = vi.spyOn(store.artifacts, "digestFile");
  expect(await listed(true)).toMatchObject({ seal: { state: "kept" }, card: JSON.parse(row.card!) });
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
});

test("a report that was changed by hand is not listed as found before; once it is read the list says so, with no lamps", async () => {
  const text = await readFile(path(row.report_sha256), "utf8");
  const { atime, mtime } = await stat(path(row.report_sha256));
  await writeFile(path(row.report_sha256), text.replace('"used":37', '"used":36'));
  await utimes(path(row.report_sha256), atime, mtime);
  expect((await listed()).seal.state).toBe("unread");
  const { seal, card } = await known();
  expect([seal.state, card]).toEqual(["broken", null]);
  expect(seal.sentence).toContain("report is not the one that was judged");
  expect(seal.sentence).toContain(row.report_sha256!.slice(0, 12));
  await writeFile(path(row.report_sha256), text);
  expect((await known()).seal.state).toBe("kept");
});

test("a file that is gone, cut, or no file is told at the first look", async () => {
  await rm(path(row.stream_sha256));
  expect((await listed()).seal).toMatchObject({
    state: "broken",
    sentence: expect.stringContaining("stream is gone"),
  });
  await copyFile(originals.get(row.stream_sha256)!, path(row.stream_sha256));
  await truncate(path(row.stream_sha256), 100);
  expect((await listed()).seal.state).toBe("unread");
  expect((await known()).seal.state).toBe("broken");
});

test.each([
  ["card", (kept: RoundRow) => ({ card: kept.card!.replace('"rejected":', '"rejected":1') })],
  ["outcome", () => ({ outcome: "finding" })],
  ["false_green", () => ({ false_green: 1 })],
  ["requests", () => ({ requests: 1 })],
  ["name", () => ({ name: "another" })],
  ["faults", () => ({ faults: "no JSON" })],
  ["report_sha256", () => ({ report_sha256: other.report_sha256 })],
  ["view", () => ({ view: other.view })],
  ["view that is null", () => ({ view: null })],
  ["view that is no JSON", () => ({ view: "{" })],
  ["seal", () => ({ seal: null })],
  ["seal of another round", () => ({ seal: other.seal })],
] as const)(
  "a row whose %s was changed in the database is listed as that, beside rows that are whole",
  async (_, change) => {
    await store.rounds.update(row.id, change(row));
    const { rows } = await service.list(QUERY);
    const seals = Object.fromEntries(rows.map(({ id, seal, card }) => [id, [seal.state, card === null]]));
    expect(seals).toEqual({ [row.id]: ["broken", true], [other.id]: ["kept", false] });
  },
);

test("the exported list claims no signal of a round that is not what was judged, and says why", async () => {
  await writeFile(path(row.report_sha256), "{}");
  await known();
  const [first, second] = await exportList(service, QUERY);
  expect(first).toMatchObject({
    stored: "broken",
    message: expect.stringContaining("not the one that was judged"),
  });
  expect(first).not.toHaveProperty("health");
  expect(second).toMatchObject({ stored: "kept", message: null });
  expect(second).toHaveProperty("health");
});

test("a file that cannot be read is asked for once, and told so", async () => {
  await writeFile(path(row.policy_sha256), await readFile(path(row.policy_sha256)));
  const read = vi.spyOn(store.artifacts, "digestFile").mockRejectedValue(new Error("EIO"));
  const { seal } = await known();
  expect(seal).toMatchObject({ state: "broken", sentence: expect.stringContaining("cannot be read") });
  read.mockClear();
  expect((await listed(true)).seal.state).toBe("broken");
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
  await writeFile(path(row.policy_sha256), await readFile(path(row.policy_sha256)));
});
