import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { type PackedResult, recomputePacked } from "../../reference/recompute.ts";
import { readFileAhead } from "../../store/read-file.ts";
import { nodeSha256 } from "../sha256.ts";
import { makeRound } from "../trials/made-round.ts";
import { TrialFolder } from "../trials/trial-folder.ts";
import { type Documents, loadDocuments } from "./documents.ts";
import { findTruth } from "./judge-report.ts";
import { type ReferenceJob, recomputation } from "./recompute-beside.ts";
import { AssistantThread, assistantFor, SLOT_BYTES } from "./reference-assistant.ts";
import type { RoundFiles } from "./run-round.ts";

/** About six megabytes of stream: more blocks than wait to be read at once. */
const made = (folder: TrialFolder, requests = 60_000) =>
  makeRound(folder.path, { requests, tenants: 50, span_ms: 600_000, order: "shuffled" });

async function documentsOf(files: RoundFiles): Promise<Documents> {
  const documents = await loadDocuments(files);
  if (!documents.ok) throw new Error("a made round's documents are none");
  return documents.value;
}

/** What is found of a round, its columns without the room behind their last row. */
function listed(result: PackedResult) {
  if (!result.ok) throw new Error("refused");
  const { table, ...round } = result.round;
  const { count, ids, id_end, tenant, ...rest } = table;
  return {
    ...result,
    round,
    ...{ ...rest, count, id_end: id_end.slice(0, count), tenant: tenant.slice(0, count) },
    ids: ids.slice(0, id_end[count - 1]),
  };
}

/** Recomputes in this thread, by an assistant or without. */
async function recomputed(files: RoundFiles, assistant?: AssistantThread): Promise<PackedResult> {
  const { contract, policy } = await documentsOf(files);
  const job = {
    contract,
    policy,
    stream: readFileAhead(files.input),
    reading: "strict",
    trace: true,
  } as const;
  return await recomputePacked({ ...job, sha256: nodeSha256, ...(assistant !== undefined && { assistant }) });
}

describe("an assistant in a thread of its own", () => {
  test("reads blocks and tells the text, and what is found is the same", () =>
    TrialFolder.use(async (folder) => {
      const files = await made(folder);
      const assistant = new AssistantThread();
      try {
        const offered = vi.spyOn(assistant, "offer");
        const assisted = listed(await recomputed(files, assistant));
        expect(assisted).toEqual(listed(await recomputed(files)));
        expect(offered.mock.results.some(({ value }) => value === true)).toBe(true);
        expect(assistant.count).toBeGreaterThan(0);
      } finally {
        await assistant.stop();
      }
    }));

  test("takes no block that is too long for it, none that is hardly worth it, and no more than it has room for", async () => {
    const assistant = new AssistantThread();
    try {
      expect(assistant.offer(new Uint8Array(SLOT_BYTES + 1), 0)).toBe(false);
      expect(assistant.offer(new Uint8Array(100), 0)).toBe(false);
      // Each is one bad line of a megabyte; they are offered faster than they can be read.
      const taken = Array.from({ length: 50 }, (_, at) => assistant.offer(new Uint8Array(SLOT_BYTES), at));
      expect(taken.slice(0, 3)).toEqual([true, true, true]);
      expect(taken).toContain(false);
      const { problemCount } = await assistant.part();
      expect(problemCount).toBe(taken.filter((isTaken) => isTaken).length);
    } finally {
      await assistant.stop();
    }
  });

  test.each(["part", "tell"] as const)("one that is ended before its %s leaves nothing judged", (step) =>
    TrialFolder.use(async (folder) => {
      const files = await made(folder);
      const assistant = new AssistantThread();
      const asked = assistant[step].bind(assistant) as (...given: unknown[]) => Promise<unknown>;
      vi.spyOn(assistant, step).mockImplementation((async (...given: unknown[]) => {
        const answer = asked(...given);
        await assistant.stop();
        return await answer;
      }) as never);
      await expect(recomputed(files, assistant)).rejects.toThrow("assistant ended with status");
    }),
  );

  test("one that cannot do its work is an error with its reason", () =>
    TrialFolder.use(async (folder) => {
      const plain = await recomputed(await made(folder, 1000));
      if (!plain.ok) throw new Error("refused");
      plain.round.verdicts.step.fill(0);
      const assistant = new AssistantThread();
      await expect(assistant.tell(plain.round, () => {})).rejects.toThrow("was not decided");
      await assistant.stop();
    }));

  test("whoever hears the text and fails is told of it", () =>
    TrialFolder.use(async (folder) => {
      const files = await made(folder, 1000);
      const assistant = new AssistantThread();
      const { contract, policy } = await documentsOf(files);
      const onText = () => {
        throw new Error("deaf");
      };
      const job = { contract, policy, stream: readFileAhead(files.input), reading: "strict" } as const;
      await expect(recomputePacked({ ...job, sha256: nodeSha256, onText, assistant })).rejects.toThrow(
        "deaf",
      );
      await assistant.stop();
    }));
});

test("only a large stream has an assistant, and one that is not there has none", () =>
  TrialFolder.use(async (folder) => {
    const files = await made(folder, 1000);
    expect(await assistantFor(files.input)).toBeNull();
    expect(await assistantFor(join(folder.path, "nowhere"))).toBeNull();
  }));

test("a large report is judged with an assistant, and alike", () =>
  TrialFolder.use(async (folder) => {
    const files = await made(folder, 100_000);
    const assistant = await assistantFor(files.input);
    expect(assistant).not.toBeNull();
    await assistant?.stop();
    const truth = await findTruth(await documentsOf(files), files.input, "strict");
    const plain = await recomputed(files);
    if (!truth.ok || !plain.ok) throw new Error("refused");
    expect(truth.reference.text_sha256).toBe(plain.text_sha256);
  }));

/** Threads of this process, whoever started them. */
const threads = async () => (await readdir("/proc/self/task")).length;

test.runIf(process.platform === "linux")("a recomputation that is stopped ends its assistant too", () =>
  TrialFolder.use(async (folder) => {
    const { contract, policy } = await documentsOf(await made(folder, 1000));
    const job: ReferenceJob = { contract, policy, input: "/dev/zero", reading: "strict", trace: false };
    const before = await threads();
    const work = await recomputation(job, "after");
    const found = work.result(() => {}).catch((error: Error) => error.message);
    await vi.waitFor(async () => expect(await threads()).toBeGreaterThanOrEqual(before + 2), 10_000);
    await work.stop();
    expect(await found).toContain("ended with status");
    await vi.waitFor(async () => expect(await threads()).toBeLessThanOrEqual(before), 10_000);
  }),
);
