import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jsonText, writeStream } from "../../ingest/write-stream.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { makeRound } from "../trials/made-round.ts";
import { TrialFolder } from "../trials/trial-folder.ts";
import { loadDocuments } from "./documents.ts";
import { halfways, type Recomputing, type ReferenceJob, recomputation } from "./recompute-beside.ts";
import { type DecidedRound, type RoundFiles, runRound } from "./run-round.ts";

const WAYS: readonly Recomputing[] = ["here", "beside", "after"];
const AT_WORK = ["beside", "after"] as const;

/** Names that an object with a prototype has already, served by a template, listed and denied. */
async function oddNames(folder: TrialFolder): Promise<RoundFiles> {
  const names = ["__proto__", "constructor", "toString", 'té"\\'];
  const contract = {
    version: 1,
    total_ceiling_per_sec: 10,
    epoch_ms: 1000,
    grace_ms: 60_000,
    group_by: "epoch",
    refill: "snapshot",
    tiers: [{ name: "__proto__", guaranteed: true }],
  };
  const entry = { tier: "__proto__", capacity: 3, rate_per_sec: 1, ceiling_units: 1, reserve_tokens: 1 };
  const policy = { tenants: [{ tenant: "*", ...entry }], denylist: ["toString"] };
  const requests = names.flatMap((tenant, at) =>
    [0, 1, 2].map((nth) => ({
      req_id: `${tenant}-${nth}`,
      tenant,
      arrival_ms: nth * 700 + at,
      cost: 1.5,
      mode: nth === 1 ? "hard" : "soft",
    })),
  );
  return {
    contract: await folder.write("contract.json", jsonText(contract)),
    policy: await folder.write("policy.json", jsonText(policy)),
    input: await folder.write("stream.jsonl", writeStream(requests)),
    report: join(folder.path, "report.json"),
  };
}

const ROUNDS: readonly [string, (folder: TrialFolder) => Promise<RoundFiles>][] = [
  ["the scenario", async (folder) => folder.scenario().files],
  ["odd names", oddNames],
  [
    "a made round",
    (folder) => makeRound(folder.path, { requests: 5000, tenants: 20, span_ms: 60_000, order: "shuffled" }),
  ],
];

describe.each(ROUNDS)("the reference in a thread, over %s", (_, filesIn) => {
  test.each(["honest", "faulty"])(
    "finds the same beside the engine, after it, and in no thread (%s)",
    async (kind) => {
      const faults = kind === "honest" ? [] : ["request-at-a-time", "queue-forever"];
      await TrialFolder.use(async (folder) => {
        const files = await filesIn(folder);
        const rounds = await Promise.all(
          WAYS.map(async (recomputing) => {
            const report = `${files.report}.${recomputing}`;
            const options = { reading: "strict", faults, trace: true, recomputing } as const;
            return (await runRound({ ...files, report }, options)) as DecidedRound;
          }),
        );
        const found = rounds.map(({ truth, status, contentChecksum, recomputed }) => {
          if (!recomputed.ok) throw new Error(recomputed.problem.message);
          const { figures, groups, letGo: _, ...digests } = recomputed.reference;
          const { per_tenant, ...rest } = JSON.parse(JSON.stringify(figures));
          const tenants = Object.entries(figures.per_tenant);
          expect(Object.keys(per_tenant)).toHaveLength(tenants.length);
          return { truth, status, contentChecksum, digests, rest, tenants, groups: [...groups] };
        });
        expect(found[1]).toEqual(found[0]);
        expect(found[2]).toEqual(found[0]);
        expect(found[0]!.groups.length).toBeGreaterThan(0);
        expect(found[0]!.truth.checks).toBeGreaterThan(0);
        expect(found[0]!.status).toBe(kind === "honest" ? 0 : found[0]!.truth.status);
      });
    },
  );
});

/** A thread's job over the scenario. */
async function job(folder: TrialFolder, changed: Partial<ReferenceJob> = {}): Promise<ReferenceJob> {
  const { files } = folder.scenario();
  const documents = await loadDocuments(files);
  if (!documents.ok) throw new Error("the scenario's documents are none");
  const { contract, policy } = documents.value;
  return { contract, policy, input: files.input, reading: "strict", trace: false, ...changed };
}

describe.each(AT_WORK)("a thread that cannot do its work (%s)", (when) => {
  test("a stream that is not there is a problem of that file", () =>
    TrialFolder.use(async (folder) => {
      const input = join(folder.path, "nowhere");
      const work = await recomputation(await job(folder, { input }), when);
      const problem = await work.result(() => {}).catch((error: unknown) => error);
      expect(problem).toBeInstanceOf(FileProblem);
      expect(problem).toMatchObject({ file: input });
      await work.stop();
    }));

  test("one that throws ends the recomputation with its error, never without", () =>
    TrialFolder.use(async (folder) => {
      const { policy } = await job(folder);
      const tenants = policy.tenants.map((tenant) => ({ ...tenant, tier: "no such tier" }));
      const work = await recomputation(await job(folder, { policy: { ...policy, tenants } }), when);
      await expect(work.result(() => {})).rejects.toThrow("no tier");
      await work.stop();
    }));

  test("one that is ended in the middle is an error, however late it is asked", () =>
    TrialFolder.use(async (folder) => {
      const work = await recomputation(await job(folder, { input: "/dev/zero" }), when);
      const early = when === "after" ? work.result(() => {}) : null;
      await work.stop();
      await expect(early ?? work.result(() => {})).rejects.toThrow("ended with status");
    }));
});

test("two ways through the same requests are told as one, which never goes back and ends where all are done", () => {
  const counting = halfways();
  const told = [65_536, 131_072, 199_999, 0, 65_536, 131_072, 200_000].map(counting);
  expect(told).toEqual([32_768, 65_536, 99_999, 99_999, 132_767, 165_535, 199_999]);
});

test.each(WAYS)("progress never goes back and comes to the end (%s)", async (when) => {
  await TrialFolder.use(async (folder) => {
    const requests = 140_000;
    const files = await makeRound(folder.path, { requests, tenants: 9, span_ms: 60_000, order: "arrival" });
    const documents = await loadDocuments(files);
    if (!documents.ok) throw new Error("no documents");
    const { contract, policy } = documents.value;
    const job: ReferenceJob = { contract, policy, input: files.input, reading: "strict", trace: false };
    const told: number[] = [];
    const reference = await recomputation(job, when);
    await reference.result((done) => told.push(done));
    await reference.stop();
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    // What was read after the last word of it is not known.
    expect(told.at(-1)).toBeGreaterThan(requests - 65_536);
    expect(told.at(-1)).toBeLessThanOrEqual(requests);
  });
});
