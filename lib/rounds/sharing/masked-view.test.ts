import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore, type Store } from "../../store/open-store.ts";
import { RoundsService } from "../service.ts";
import { FALSE_GREEN_FAULTS, PROBLEM_FAULTS } from "../trials/scenario.ts";
import type { RoundRows } from "./masked-view.ts";
import type { SharedRound } from "./shared-round.ts";

/** Every name of the round, its files and its policy holds this. */
const SECRET = "zq-secret";

let folder: string;
let store: Store;
let service: RoundsService;
let id: string;
let shared: SharedRound;
let rows: RoundRows;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "masked-"));
  store = await openStore(folder);
  service = new RoundsService(store);
  const { contract, policy, stream } = await service.scenario();
  const secret = (text: string) =>
    text.replaceAll("t-", `${SECRET}-`).replaceAll("req-0", `${SECRET}-"-`.replaceAll('"', '\\"'));
  const result = await service.submit({
    name: `${SECRET} name`,
    reading: "lenient",
    faults: [...PROBLEM_FAULTS, ...FALSE_GREEN_FAULTS],
    contract: { name: `${SECRET}.contract`, text: contract },
    policy: { name: `${SECRET}.policy`, text: secret(policy) },
    stream: { kind: "text", name: `${SECRET}.jsonl`, text: `${secret(stream)}\n{"${SECRET}": 1}\n` },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  id = result.id;
  for (const until = performance.now() + 45_000; performance.now() < until; ) {
    if ((await service.round(id))?.state === "done") break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { token } = (await service.share(id, null, { raw: false, masked: true }))!;
  shared = (await service.shared(token))!;
  rows = (await service.rows(id, shared.access))!;
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

async function everyOf<Row>(found: Iterable<Row> | AsyncIterable<Row>): Promise<Row[]> {
  const walked: Row[] = [];
  for await (const row of found) walked.push(row);
  return walked;
}

/** Every table as a whole, with masks of every row looked up while it is walked through. */
const exported = (tenants: string[]) =>
  Promise.all(
    [
      { table: "tenants", sort: "name" } as const,
      { table: "decisions", sort: "dispatch", dir: "asc" } as const,
      { table: "places", result: "all" } as const,
      ...tenants.map((tenant) => ({ table: "groups", tenant }) as const),
      ...(["breaches", "checks", "criteria", "lines"] as const).map((table) => ({ table })),
    ].map(async (query) => everyOf((await service.table(id, query, shared.access))!)),
  );

const all = { limit: 1000, offset: 0 };

test("nothing behind a masked link names anybody, though the round itself is full of the name", async () => {
  const tenants = (await rows.tenants({ ...all, sort: "name" })).rows.map(({ tenant }) => tenant);
  const decisions = await rows.decisions({ ...all, sort: "dispatch", dir: "asc" });
  const everything = JSON.stringify([
    shared.round,
    await service.inputs(id, shared.access),
    await rows.tenantNames(),
    ...(await Promise.all(
      tenants.map(async (tenant) => [
        await rows.tenant(tenant),
        await rows.balances([tenant], 100),
        await rows.groups("engine", tenant, all),
        await rows.groups("reference", tenant, all),
        await rows.debitsBefore("engine", tenant, 1000, 100),
      ]),
    )),
    decisions,
    await Promise.all(decisions.rows.map((row) => rows.groupOfRequest("engine", row))),
    await rows.breaches(all),
    await rows.places({ ...all, result: "all" }),
    await rows.placeCounts(),
    await everyOf(rows.eachBreach()),
    ...(await exported(tenants)),
  ]);
  expect(decisions.total).toBe(17);
  expect(everything).not.toContain(SECRET);
  const view = (await service.view(id))!;
  expect(JSON.stringify(await view.places({ ...all, result: "all" }))).toContain(SECRET);
  expect(JSON.stringify([await service.round(id), await service.inputs(id)])).toContain(SECRET);
});

test("no digest of what holds names goes out: a guessed name could be confirmed by it", async () => {
  const row = (await store.rounds.get(id))!;
  const { checksum, reference_checksum } = (await service.round(id))!.summary!;
  const digests = [row.policy_sha256, row.stream_sha256, row.report_sha256!, checksum!, reference_checksum!];
  expect(new Set(digests).size).toBeGreaterThanOrEqual(4);
  const everything = JSON.stringify([
    shared.round,
    await service.inputs(id, shared.access),
    await rows.places({ ...all, result: "all" }),
    await exported([]),
  ]);
  for (const digest of digests) expect(everything).not.toContain(digest);
  // Of the contract, which names nobody, it does.
  expect(everything).toContain(row.contract_sha256);
});

test("masks lead to the rows they stand for", async () => {
  const [first] = (await rows.decisions({ ...all, sort: "dispatch", dir: "asc" })).rows;
  const { tenant, req_id } = first!;
  expect(await rows.decision(req_id)).toEqual(first);
  expect((await rows.decisions({ ...all, search: req_id, sort: "dispatch", dir: "asc" })).rows).toEqual([
    first,
  ]);
  const theirs = await rows.decisions({ ...all, tenant, sort: "dispatch", dir: "asc" });
  expect(theirs.total).toBeGreaterThan(1);
  expect(theirs.rows.every((row) => row.tenant === tenant)).toBe(true);
  expect(
    (await rows.tenants({ ...all, search: tenant, sort: "name" })).rows.map((row) => row.tenant),
  ).toEqual([tenant]);
  expect((await rows.groupOfRequest("reference", first!))?.req_ids).toContain(req_id);
  const about = await rows.places({ ...all, result: "all", subject: req_id });
  expect(about.total).toBeGreaterThan(0);
  expect(about.rows.every(({ subject }) => subject === req_id)).toBe(true);
});

test("neither a true name nor a part of one finds anything", async () => {
  for (const name of [`${SECRET}-alpha`, SECRET, "a", "%", ""]) {
    expect(await rows.tenant(name)).toBeNull();
    expect(await rows.decision(name)).toBeNull();
    if (name === "") continue;
    expect((await rows.tenants({ ...all, search: name, sort: "name" })).total).toBe(0);
    expect((await rows.decisions({ ...all, search: name, sort: "dispatch", dir: "asc" })).total).toBe(0);
    expect((await rows.decisions({ ...all, tenant: name, sort: "dispatch", dir: "asc" })).total).toBe(0);
    expect((await rows.places({ ...all, result: "all", subject: name })).total).toBe(0);
  }
});

test("a masked link gives the contract and no other file; one without the stream gives all but it", async () => {
  const filesOf = async (access: SharedRound["access"]) => {
    const kinds = ["contract", "policy", "stream", "report"] as const;
    const found = await Promise.all(kinds.map((kind) => service.file(id, kind, access)));
    return kinds.filter((_, at) => found[at] !== null);
  };
  expect(await filesOf(shared.access)).toEqual(["contract"]);
  expect(await filesOf({ raw: false, mask_key: null })).toEqual(["contract", "policy", "report"]);
  expect(await filesOf({ raw: true, mask_key: null })).toEqual(["contract", "policy", "stream", "report"]);
});

test("the policy keeps its figures to the digit, and its tenants are the masks of the other pages", async () => {
  const policy = (await service.inputs(id, shared.access))!.policy.text!;
  const masked: { tenants: { tenant: string; capacity: number }[]; denylist: string[] } = JSON.parse(policy);
  const seen = new Set(await rows.tenantNames());
  for (const { tenant } of masked.tenants) expect(seen).toContain(tenant);
  const original = JSON.parse((await service.inputs(id))!.policy.text!) as typeof masked;
  expect(masked.tenants.map(({ capacity }) => capacity)).toEqual(
    original.tenants.map(({ capacity }) => capacity),
  );
  expect(masked.denylist).toHaveLength(original.denylist.length);
});

test("two masked links of one round cannot be laid over each other", async () => {
  const { token } = (await service.share(id, null, { raw: false, masked: true }))!;
  const other = (await service.rows(id, (await service.shared(token))!.access))!;
  const seen = new Set(await rows.tenantNames());
  expect((await other.tenantNames()).some((name) => seen.has(name))).toBe(false);
});

test("no link gives the stream and masks its names", async () => {
  expect(await service.share(id, null, { raw: true, masked: true })).toBeNull();
});
