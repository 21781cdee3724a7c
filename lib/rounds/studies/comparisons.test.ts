import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openStore, type Store } from "../../store/open-store.ts";
import { GRACE_MS } from "../removed-rounds.ts";
import { RoundsService } from "../service.ts";
import { scenarioFiles } from "../trials/scenario.ts";
import { askStudy } from "./ask-study.ts";
import { Comparisons } from "./comparisons.ts";
import { StartStateStudies } from "./start-state-studies.ts";
import { Studies } from "./studies.ts";

let folder: string;
let store: Store;
let rounds: RoundsService;
let comparisons: Comparisons;
let starts: StartStateStudies;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "comparisons-"));
  store = await openStore(folder);
  rounds = new RoundsService(store);
  const studies = new Studies(store, askStudy(store));
  comparisons = new Comparisons(store, rounds, studies);
  starts = new StartStateStudies(store, studies);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The scenario's round with faults, run to its end. */
async function scenarioRound(faults: string[]): Promise<string> {
  const files = scenarioFiles();
  const started = await rounds.submit({
    reading: "strict",
    faults,
    contract: { name: "contract.json", text: await readFile(files.contract, "utf8") },
    policy: { name: "policy.json", text: await readFile(files.policy, "utf8") },
    stream: { kind: "text", name: "requests.jsonl", text: await readFile(files.input, "utf8") },
  });
  if (!started.ok) throw new Error(JSON.stringify(started.problems));
  return ended(started.id);
}

async function ended(id: string): Promise<string> {
  return until(async () => ((await rounds.round(id))?.state === "done" ? id : null));
}

/** Two rounds once they are compared, by whoever asked for it. */
const compared = (a: string, b: string) =>
  until(async () => {
    const beside = await comparisons.beside(a, b);
    return beside?.study?.state === "done" ? beside : null;
  });

const stored = async () => (await store.studies.list("comparison", 10)).length;

test("looking at two rounds starts nothing, however often; it says whether they have files in common", async () => {
  const [a, b] = [await scenarioRound([]), await scenarioRound(["queue-forever"])];
  const same = { contract: true, policy: true, stream: true };
  for (let times = 0; times < 3; times += 1)
    expect(await comparisons.beside(a, b)).toMatchObject({ study: null, isAwaited: false, same });
  expect(await stored()).toBe(0);
  expect(await comparisons.start(a, "no-such")).toBe(false);
  expect(await stored()).toBe(0);
});

test("a pair that is asked for before its rounds are decided is compared once they are", async () => {
  const policy = await readFile(scenarioFiles().policy, "utf8");
  const a = await scenarioRound([]);
  const submitted = await comparisons.underPolicy(a, {
    name: "p.json",
    text: policy.replace('"capacity": 16', '"capacity": 15'),
  });
  if (!submitted.ok) throw new Error(JSON.stringify(submitted.problems));
  expect(await comparisons.beside(a, submitted.id)).toMatchObject({
    study: null,
    isAwaited: true,
    same: null,
  });
  const { isAwaited, same } = await compared(a, submitted.id);
  expect({ isAwaited, same }).toEqual({
    isAwaited: false,
    same: { contract: true, policy: false, stream: true },
  });
  expect(await comparisons.beside(submitted.id, a)).toMatchObject({ study: null });
});

test("a pair is no longer awaited when a round of it ends without a report", async () => {
  const a = await scenarioRound([]);
  const policy = await readFile(scenarioFiles().policy, "utf8");
  const submitted = await comparisons.underPolicy(a, { name: "p.json", text: policy });
  if (!submitted.ok) throw new Error(JSON.stringify(submitted.problems));
  expect(await rounds.cancel(submitted.id)).toBe(true);
  await until(async () => ((await comparisons.beside(a, submitted.id))?.isAwaited ? null : true));
  expect(await comparisons.start(a, submitted.id)).toBe(false);
  expect(await stored()).toBe(0);
});

test("two rounds are compared once, and their rows are found by kind, tenant and verdict", async () => {
  const [a, b] = [await scenarioRound([]), await scenarioRound(["queue-forever"])];
  for (let times = 0; times < 2; times += 1) expect(await comparisons.start(a, b)).toBe(true);
  const { study } = await compared(a, b);
  const { flips, details } = study!.result!;
  expect(flips + details).toBeGreaterThan(0);
  await comparisons.start(a, b);
  expect((await comparisons.beside(a, b))?.study?.id).toBe(study!.id);
  expect((await comparisons.beside(b, a))?.study).toBeNull();
  const window = { limit: 100, offset: 0 };
  expect((await comparisons.changes(study!.id, window))?.total).toBe(flips + details);
  expect((await comparisons.changes(study!.id, { ...window, kind: "flip" }))?.total).toBe(flips);
  const queued = (await comparisons.changes(study!.id, { ...window, from: "rejected", to: "queued" }))!;
  for (const row of queued.rows) expect([row.a?.verdict, row.b?.verdict]).toEqual(["rejected", "queued"]);
  expect((await comparisons.tenants(study!.id, window))?.total).toBeGreaterThan(0);
  expect(await comparisons.changes("no-such", window)).toBeNull();
  expect(await comparisons.beside(a, "no-such")).toBeNull();
  await comparisons.start(b, a);
  expect((await compared(b, a)).study?.id).not.toBe(study!.id);
});

test("a stream under another policy is a round of its own; a broken policy starts none", async () => {
  const a = await scenarioRound(["queue-forever"]);
  const policy = await readFile(scenarioFiles().policy, "utf8");
  expect(await comparisons.underPolicy(a, { name: "p.json", text: "{}" })).toMatchObject({ ok: false });
  const text = policy.replace('"capacity": 16', '"capacity": 15');
  const started = await comparisons.underPolicy(a, { name: "p.json", text });
  if (!started.ok) throw new Error(JSON.stringify(started.problems));
  const b = await ended(started.id);
  expect(await rounds.round(b)).toMatchObject({ faults: [] });
  const { study } = await compared(a, b);
  expect(study!.result!.policy).toMatchObject({
    changes: [{ path: 'tenants["t-alpha"].capacity', a: "16", b: "15" }],
  });
  expect(study!.result!.stream.a).toBe(study!.result!.stream.b);
});

test("start states are found once for a round's inputs, and mark its requests", async () => {
  const a = await scenarioRound([]);
  expect(await starts.find(a)).toBeNull();
  expect(await starts.marked(a, ["req-0001"])).toBeNull();
  const id = await starts.start(a);
  const found = await until(async () => {
    const study = await starts.find(a);
    return study?.state === "done" ? study : null;
  });
  expect(found.id).toBe(id);
  expect(await starts.start(a)).toBe(id);
  const page = (await starts.rows(a, { limit: 500, offset: 0 }))!;
  expect(page.total).toBe(found.result!.depends);
  const marked = (await starts.marked(a, ["req-0001", "req-0004"]))!;
  expect([...marked]).toEqual(["req-0001"]);
  expect((await starts.tenants(a, { limit: 9, offset: 0 }))!.total).toBe(found.result!.tenants_that_depend);
  expect(await starts.start("no-such")).toBeNull();
});

test("what was found out about rounds is forgotten with them, and its files are gone", async () => {
  const [a, b] = [await scenarioRound([]), await scenarioRound(["fifo-dispatch"])];
  await comparisons.start(a, b);
  await compared(a, b);
  await starts.start(a);
  await until(async () => ((await starts.find(a))?.state === "done" ? true : null));
  const files = async () =>
    (await readdir(store.artifacts.folder, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
  const now_ms = Date.now();
  await rounds.removed.remove([b]);
  vi.useFakeTimers({ toFake: ["Date"], now: now_ms + 2 * GRACE_MS });
  try {
    await rounds.removed.sweep();
    // The other round is still there, and so are its start states.
    expect((await store.studies.list("comparison", 9)).length).toBe(0);
    expect((await store.studies.list("start-states", 9)).length).toBe(1);
    vi.setSystemTime(now_ms);
    await rounds.removed.remove([a]);
    vi.setSystemTime(now_ms + 2 * GRACE_MS);
    await rounds.removed.sweep();
  } finally {
    vi.useRealTimers();
  }
  expect((await store.studies.list("start-states", 9)).length).toBe(0);
  expect(await files()).toEqual([]);
});
