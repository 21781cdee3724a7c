import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillWithRounds, NEWEST_MS } from "./many-rounds.ts";
import { openStore, type Store } from "./open-store.ts";
import type { RoundQuery } from "./rounds.ts";

const COUNT = 10_000;
const HOUR_MS = 3_600_000;

let folder: string;
let store: Store;
const query = (changes: Partial<RoundQuery> = {}): RoundQuery => ({
  sort: "created",
  dir: "desc",
  limit: 50,
  offset: 0,
  ...changes,
});
const total = async (changes: Partial<RoundQuery>) => (await store.rounds.list(query(changes))).total;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "many-rounds-"));
  await (await openStore(folder)).close();
  fillWithRounds(folder, COUNT);
  store = await openStore(folder);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

test("pages of every order make the whole, once each", async () => {
  for (const sort of ["created", "name", "requests"] as const)
    for (const dir of ["asc", "desc"] as const) {
      const seen = new Set<string>();
      for (let offset = 0; offset < COUNT; offset += 2500)
        for (const { id } of (await store.rounds.list(query({ sort, dir, limit: 2500, offset }))).rows)
          seen.add(id);
      expect(seen.size, `${sort} ${dir}`).toBe(COUNT);
    }
});

test("any round is found by each of the filters", async () => {
  expect(await total({})).toBe(COUNT);
  expect((await store.rounds.list(query({ search: "NIGHT 9e3779 OF REGION 1" }))).rows[0]!.id).toBe(
    "night-000001",
  );
  expect(await total({ statuses: ["waiting", "running"] })).toBe(COUNT / 10);
  expect(await total({ statuses: ["refused"] })).toBe(COUNT / 10);
  const outcomes = await Promise.all(
    ["clean", "finding", "unjudged"].map((status) => total({ statuses: [status] })),
  );
  expect(outcomes.reduce((sum, count) => sum + count, 0)).toBe((COUNT * 6) / 10);
  expect(await total({ false_green: true })).toBe(COUNT / 10);
  expect(await total({ tenant: "tenant-200" })).toBe(200);
  expect(await total({ tenant: "nobody" })).toBe(0);
  const [newest] = (await store.rounds.list(query())).rows;
  expect(newest!.id).toBe("night-009999");
  const theirs = await store.rounds.list(query({ stream: newest!.stream_sha256.slice(0, 12), limit: 500 }));
  expect(theirs.total).toBe(34);
  expect(new Set(theirs.rows.map(({ stream_sha256 }) => stream_sha256)).size).toBe(1);
  expect(await total({ stream: "ACCESS-7.log" })).toBe(34);
  expect(await total({ from_ms: NEWEST_MS - 23 * HOUR_MS, to_ms: NEWEST_MS + 1 })).toBe(24);
  expect(await total({ from_ms: NEWEST_MS - 23 * HOUR_MS, statuses: ["waiting"], search: "region" })).toBe(3);
});

test.each([
  ["newest first", {}, "round_list_created"],
  ["by name", { sort: "name" }, "round_list_name"],
  ["by requests", { sort: "requests" }, "round_list_requests"],
  ["of a status", { statuses: ["finding"] }, "round_list_status"],
  ["false greens", { false_green: true }, "round_list_false_green"],
  ["of a stream", { stream: "deadbeefdead" }, "round_stream"],
  ["of a period", { from_ms: NEWEST_MS - HOUR_MS }, "round_list_created"],
  ["of a text", { search: "night" }, "round_list_created"],
  ["removed", { removed: true }, "round_deleted"],
] as [string, Partial<RoundQuery>, string][])(
  "rounds %s are found in an index",
  async (_, changes, index) => {
    const steps = await store.rounds.plan(query(changes));
    expect(
      steps.filter((step) => /\bround\b/.test(step)).every((step) => step.includes("INDEX")),
      steps.join("\n"),
    ).toBe(true);
    expect(steps.join("\n")).toContain(index);
    if (Object.keys(changes).length === 0) expect(steps.join("\n")).not.toContain("TEMP B-TREE");
  },
);

test("rounds of a tenant are found through the tenant, not through every round's tenants", async () => {
  const steps = await store.rounds.plan(query({ tenant: "tenant-7" }));
  expect(steps.join("\n")).toMatch(/SEARCH round_tenant USING PRIMARY KEY \(tenant_id=\?\)/);
});

test("all that match are removed and put back in one go, and what is swept is gone", async () => {
  const matching = { statuses: ["refused"], search: "region 6" };
  const count = await total(matching);
  expect(count).toBeGreaterThan(100);
  expect(await store.rounds.remove(matching, 5000)).toBe(count);
  expect(await total(matching)).toBe(0);
  expect(await total({})).toBe(COUNT - count);
  expect(await total({ removed: true })).toBe(count);
  const removed = await store.rounds.removedIn(5000);
  for (const { id } of removed) expect(await store.rounds.restore(id)).toBe(false);
  expect(await total({})).toBe(COUNT);
  await store.rounds.remove(removed.map(({ id }) => id).slice(0, 10), 6000);
  expect(await store.rounds.sweep(6000)).toEqual([]);
  expect(await total({ removed: true })).toBe(10);
  expect((await store.rounds.sweep(6001)).length).toBeGreaterThan(0);
  expect(await total({})).toBe(COUNT - 10);
  expect(await total({ removed: true })).toBe(0);
});
