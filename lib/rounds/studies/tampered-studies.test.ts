import { copyFile, mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { StudyItem } from "../../../contract/study.ts";
import { fileDigest } from "../../store/artifacts.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import type { RoundRow } from "../../store/schema.ts";
import { RoundsService } from "../service.ts";
import { askStudy } from "./ask-study.ts";
import { Comparisons } from "./comparisons.ts";
import { FaultStudies } from "./fault-studies.ts";
import { StartStateStudies } from "./start-state-studies.ts";
import { Studies } from "./studies.ts";
import { WitnessStudies } from "./witness-studies.ts";

let folder: string;
let store: Store;
let rounds: RoundsService;
let comparisons: Comparisons;
let starts: StartStateStudies;
let witnesses: WitnessStudies;
let lab: FaultStudies;
let a: RoundRow;
let b: RoundRow;
const originals = new Map<string, string>();

const submission = async (faults: string[]) => {
  const { contract, policy, stream } = await rounds.scenario();
  return {
    reading: "strict" as const,
    faults,
    contract: { name: "contract.json", text: contract },
    policy: { name: "policy.json", text: policy },
    stream: { kind: "text" as const, name: "requests.jsonl", text: stream },
  };
};
const rowOf = async (id: string): Promise<RoundRow> => (await store.rounds.get(id))!;
const over = (state: string) => state !== "waiting" && state !== "running";
async function ended(id: string): Promise<RoundRow> {
  await vi.waitFor(async () => expect(over((await rowOf(id)).state)).toBe(true), {
    timeout: 60_000,
    interval: 20,
  });
  return rowOf(id);
}
async function finished(faults: string[]): Promise<RoundRow> {
  const started = await rounds.submit(await submission(faults));
  if (!started.ok) throw new Error(JSON.stringify(started.problems));
  return ended(started.id);
}
async function studied<Result>(look: () => Promise<StudyItem<Result> | null>): Promise<StudyItem<Result>> {
  await vi.waitFor(async () => expect(over((await look())?.state ?? "waiting")).toBe(true), {
    timeout: 60_000,
    interval: 20,
  });
  return (await look())!;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tampered-studies-"));
  store = await openStore(join(folder, "data"));
  rounds = new RoundsService(store);
  const studies = new Studies(store, askStudy(store));
  comparisons = new Comparisons(store, rounds, studies);
  starts = new StartStateStudies(store, studies);
  witnesses = new WitnessStudies(store, rounds, studies);
  lab = new FaultStudies(store, rounds, studies);
  a = await finished([]);
  b = await finished(["queue-forever"]);
  for (const sha256 of [
    a.contract_sha256,
    a.policy_sha256,
    a.stream_sha256,
    a.report_sha256!,
    b.report_sha256!,
  ]) {
    originals.set(sha256, join(folder, sha256));
    await copyFile(store.artifacts.path(sha256), join(folder, sha256));
  }
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  for (const [sha256, copy] of originals) {
    await rm(store.artifacts.path(sha256), { force: true });
    await copyFile(copy, store.artifacts.path(sha256));
  }
});

const path = (sha256: string) => store.artifacts.path(sha256);
const compared = () => studied(async () => (await comparisons.beside(a.id, b.id))?.study ?? null);
const startStates = () => studied(() => starts.find(a.id));
const witness = (tenant: string) => studied(() => witnesses.find(a.id, tenant));

test("a report that was made equal to another's by hand leads to no comparison that says they are the same; both digests are told", async () => {
  await copyFile(path(a.report_sha256!), path(b.report_sha256!));
  await comparisons.start(a.id, b.id);
  const { state, problem, result } = await compared();
  expect([state, result]).toEqual(["failed", null]);
  expect(problem).toContain("report of B");
  expect(problem).toContain(`its SHA-256 is ${a.report_sha256}, expected ${b.report_sha256}`);
});

test("the same comparison, once the report is itself again, is worked out and tells what differs", async () => {
  await comparisons.start(a.id, b.id);
  expect((await compared()).result).toMatchObject({ same: false });
});

test.each(["contract", "policy", "stream"] as const)(
  "a %s that was changed by hand is studied by none: start states, witness, fault lab",
  async (what) => {
    const sha256 = a[`${what}_sha256`];
    await writeFile(path(sha256), `${await readFile(path(sha256), "utf8")} `);
    const found = await fileDigest(path(sha256));
    const told = `stored ${what} is not the one that was judged: its SHA-256 is ${found}, expected ${sha256}`;
    await starts.start(a.id);
    expect(await startStates()).toMatchObject({ state: "failed", problem: expect.stringContaining(told) });
    await witnesses.start(a.id, "nobody");
    await vi.waitFor(async () => expect(await store.studies.unfinished()).toEqual([]), { timeout: 20_000 });
    expect((await store.studies.list("witness", 1))[0]).toMatchObject({
      state: "failed",
      problem: expect.stringContaining(told),
    });
    const started = await lab.startOfRound(a.id, ["queue-forever"], 1000);
    if (!started.ok) throw new Error(JSON.stringify(started.problems));
    const study = await studied(async () => (await lab.get(started.id))?.item ?? null);
    expect(study).toMatchObject({ state: "failed", problem: expect.stringContaining(told) });
  },
);

test("a stream is not run again under another policy where it, or the contract, is another one", async () => {
  const policy = { name: "policy.json", text: (await rounds.scenario()).policy };
  for (const sha256 of [a.stream_sha256, a.contract_sha256]) {
    await writeFile(path(sha256), "{}");
    const started = await comparisons.underPolicy(a.id, policy);
    expect(started).toMatchObject({ ok: false });
    expect(JSON.stringify(started)).toContain(sha256);
    await copyFile(originals.get(sha256)!, path(sha256));
  }
});

test("an older version that was put back under its times, or reached by a link, is studied no more than any other", async () => {
  const { atime, mtime } = await stat(path(a.policy_sha256));
  await store.seals.check(a.policy_sha256);
  const older = (await readFile(path(a.policy_sha256), "utf8")).replace('"capacity": 16', '"capacity": 17');
  await writeFile(path(a.policy_sha256), older);
  await utimes(path(a.policy_sha256), atime, mtime);
  await starts.start(a.id);
  expect((await startStates()).state).toBe("failed");
  await rm(path(a.policy_sha256));
  await symlink(join(folder, a.contract_sha256), path(a.policy_sha256));
  await starts.start(a.id);
  expect(await startStates()).toMatchObject({
    state: "failed",
    problem: expect.stringContaining(a.contract_sha256),
  });
});

test("a file that is another one only while it is read is told as touched, and nothing is kept", async () => {
  const text = await readFile(path(a.stream_sha256), "utf8");
  const begun = vi.spyOn(store.studies, "update");
  await starts.start(a.id);
  await vi.waitFor(() => expect(begun).toHaveBeenCalled(), { timeout: 20_000, interval: 1 });
  begun.mockRestore();
  // Until its process has started, and afterwards, the file is itself.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await writeFile(path(a.stream_sha256), text);
  const { state, problem, result } = await startStates();
  expect([state, result]).toEqual(["failed", null]);
  expect(problem).toContain("the stored stream was touched while it was worked on");
});

test("start states that are found, then changed by hand in the database or on the disk, are an answer no longer; asked again they are found anew", async () => {
  await starts.start(a.id);
  const found = await startStates();
  expect(found.state).toBe("done");
  const row = (await store.studies.get(found.id))!;
  const all = { limit: 10, offset: 0 };
  expect(await starts.rows(a.id, all)).not.toBeNull();
  const nothing = { ...found.result!, depends: 0, flips: 0 };
  await store.studies.update(found.id, { result: JSON.stringify(nothing) });
  const changed = (await starts.find(a.id))!;
  expect([changed.state, changed.result]).toEqual(["failed", null]);
  expect(changed.problem).toContain(`expected ${row.seal}`);
  expect(await starts.rows(a.id, all)).toBeNull();
  await store.studies.update(found.id, { result: row.result });
  expect((await starts.find(a.id))!.state).toBe("done");

  await writeFile(path(row.result_sha256!), "no rows");
  expect(await starts.find(a.id)).toMatchObject({ state: "failed", result: null });
  expect((await starts.find(a.id))!.problem).toContain(row.result_sha256);
  expect(await starts.rows(a.id, all)).toBeNull();
  await starts.start(a.id);
  const again = await startStates();
  expect(again).toMatchObject({ state: "done", result: found.result });
  expect(again.id).not.toBe(found.id);
});

test("a witness that was changed in the database gives no stream to download or to run", async () => {
  const tenant = Object.keys(JSON.parse(await readFile(path(a.report_sha256!), "utf8")).per_tenant)[0]!;
  await witnesses.start(a.id, tenant);
  const { id } = await witness(tenant);
  const row = (await store.studies.get(id))!;
  await store.studies.update(id, { result: row.result!.replace("{", '{"made_up":1,') });
  expect(await witnesses.find(a.id, tenant)).toMatchObject({ state: "failed", result: null });
  expect(await witnesses.stream(a.id, tenant)).toBeNull();
});

test("a stream that is changed while its round waits is decided by nobody", async () => {
  const first = await rounds.submit(await submission([]));
  const given = await submission([]);
  const second = await rounds.submit({
    ...given,
    stream: { ...given.stream, text: `${given.stream.text.split("\n")[0]}\n` },
  });
  if (!first.ok || !second.ok) throw new Error("refused");
  const { stream_sha256 } = await rowOf(second.id);
  await writeFile(path(stream_sha256), given.stream.text);
  const { state, problem } = await ended(second.id);
  expect(state).toBe("failed");
  expect(problem).toContain(
    `stored stream is not the one that was submitted: its SHA-256 is ${a.stream_sha256}`,
  );
  expect(problem).toContain(`expected ${stream_sha256}`);
});
