import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore, type Store } from "../../store/open-store.ts";
import { RoundsService } from "../service.ts";
import type { SubmittedInputs } from "../submission.ts";
import { scenarioFiles } from "../trials/scenario.ts";
import { askStudy } from "./ask-study.ts";
import { FaultStudies } from "./fault-studies.ts";
import { Studies } from "./studies.ts";

let folder: string;
let store: Store;
let rounds: RoundsService;
let lab: FaultStudies;
let studies: Studies;

async function open(): Promise<void> {
  store = await openStore(folder);
  rounds = new RoundsService(store);
  studies = new Studies(store, askStudy(store));
  lab = new FaultStudies(store, rounds, studies);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fault-studies-"));
  await open();
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function scenarioInputs(): Promise<SubmittedInputs> {
  const files = scenarioFiles();
  return {
    reading: "strict",
    contract: { name: "contract.json", text: await readFile(files.contract, "utf8") },
    policy: { name: "policy.json", text: await readFile(files.policy, "utf8") },
    stream: { kind: "text", name: "requests.jsonl", text: await readFile(files.input, "utf8") },
  };
}

async function ended(id: string) {
  for (;;) {
    const study = await lab.get(id);
    if (study === null) throw new Error("the study is gone");
    if (!["waiting", "running"].includes(study.item.state)) return study;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A round that has ended. */
async function roundEnded(id: string) {
  for (;;) {
    const round = await rounds.round(id);
    if (round !== null && !["waiting", "running"].includes(round.state)) return round;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function started(rows = ["float-arithmetic", "global-reserve-pool"], most = 1000): Promise<string> {
  const found = await lab.start(await scenarioInputs(), rows, most);
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return found.id;
}

test("a study is worked out in a process of its own, kept, and its rounds are made once", async () => {
  const id = await started();
  const { item } = await ended(id);
  expect(item).toMatchObject({ state: "done", problem: null });
  expect(item.result?.rows.map(({ id: row, shows }) => [row, shows])).toEqual([
    ["global-reserve-pool", false],
    ["float-arithmetic", true],
  ]);
  const made = await lab.roundOf(id, "float-arithmetic", "stream");
  if (made?.ok !== true) throw new Error("no round was made");
  expect(await lab.roundOf(id, "float-arithmetic", "stream")).toEqual(made);
  expect(await rounds.round(made.id)).toMatchObject({ faults: ["float-arithmetic"] });
  const smallest = await lab.roundOf(id, "global-reserve-pool", "smallest");
  if (smallest?.ok !== true) throw new Error("no round was made");
  expect(smallest).not.toEqual(made);
  for (const { id: round } of [made, smallest])
    expect((await roundEnded(round)).summary?.truth.mismatches).toBeGreaterThan(0);
  expect((await lab.smallest(id, "global-reserve-pool"))?.text).toMatch(/^\{"req_id"/);
  expect(await lab.roundOf(id, "no-such", "stream")).toBeNull();
  expect(await lab.smallest("no-such", "float-arithmetic")).toBeNull();
});

test("a study survives a restart: finished ones are found again, waiting ones are worked out", async () => {
  const id = await started(["queue-forever"]);
  await ended(id);
  const inputs = (await lab.get(id))!.inputs;
  await store.studies.insert({
    id: "waiting-study",
    kind: "faults",
    question: "waiting-study",
    name: "left over",
    state: "running",
    created_at_ms: 1,
    inputs: JSON.stringify(inputs),
    artifacts: JSON.stringify([inputs.contract_sha256, inputs.policy_sha256, inputs.stream_sha256]),
  });
  await store.close();
  await open();
  await studies.resume();
  expect((await lab.get(id))?.item.state).toBe("done");
  expect((await ended("waiting-study")).item.state).toBe("done");
});

test("a study that is cancelled has ended when that is answered, and nothing of it is kept", async () => {
  const first = await started();
  const second = await started();
  expect(await studies.cancel(second)).toBe(true);
  expect(await studies.cancel(first)).toBe(true);
  for (const id of [first, second])
    expect((await lab.get(id))?.item).toMatchObject({ state: "cancelled", result: null });
  expect(await studies.cancel(first)).toBe(false);
});

test("what cannot be studied is refused with its reason", async () => {
  const inputs = await scenarioInputs();
  expect(await lab.start(inputs, [], 10)).toMatchObject({ ok: false });
  expect(await lab.start(inputs, ["no-such"], 10)).toMatchObject({ ok: false });
  expect(await lab.start(inputs, ["exit-zero"], 0)).toMatchObject({ ok: false });
  expect(await lab.startOfRound("no-such", ["exit-zero"], 10)).toMatchObject({ ok: false });
  // Nothing was stored of what is not studied.
  expect(await readdir(store.artifacts.folder)).toEqual([]);
  const broken = { ...inputs, stream: { kind: "text" as const, name: "broken", text: "not json\n" } };
  const found = await lab.start(broken, ["exit-zero"], 10);
  if (!found.ok) throw new Error("the stream is read only when the study runs");
  expect((await ended(found.id)).item).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("1 bad line"),
  });
});
