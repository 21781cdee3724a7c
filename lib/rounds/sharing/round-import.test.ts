import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RoundListItem } from "../../../contract/round-view.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { entry, MAPPING } from "../logs/combined-log.ts";
import { RoundsService } from "../service.ts";
import { askStudy } from "../studies/ask-study.ts";
import { Comparisons } from "../studies/comparisons.ts";
import { FaultStudies } from "../studies/fault-studies.ts";
import { Studies } from "../studies/studies.ts";
import type { SubmitResult } from "../submission.ts";
import type { TableQuery } from "./export-table.ts";
import { maskRound } from "./shared-round.ts";
import type { ExportRow } from "./table-text.ts";

let folder: string;
let store: Store;
let service: RoundsService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-"));
  store = await openStore(folder);
  service = new RoundsService(store);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const LOG = entry(2) + entry(1);

async function submit(text: string, mapping: unknown, reading: "strict" | "lenient"): Promise<SubmitResult> {
  const { contract, policy } = await service.scenario();
  return service.submit({
    reading,
    faults: [],
    mapping,
    contract: { name: "contract.json", text: contract },
    policy: { name: "policy.json", text: policy },
    stream: { kind: "text", name: "access.log", text },
  });
}

async function ended(result: SubmitResult): Promise<RoundListItem> {
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  for (let tries = 0; tries < 4000; tries++) {
    const round = await service.round(result.id);
    if (round !== null && !["waiting", "running"].includes(round.state)) return round;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("the round does not end");
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("a log's round is decided over the stream made from it; digest, mapping and counts stay with it", async () => {
  const round = await ended(await submit(LOG, MAPPING, "strict"));
  expect(round.state).toBe("done");
  expect(round.summary).toMatchObject({ requests: 2, exit_status: 0, span_ms: 1000 });
  // By the log's own clock, so that a time of the round can be held against other logs; not behind masks.
  expect(round.log_start_at_ms).toBe(Date.UTC(2026, 9, 25, 10, 0, 1));
  expect(maskRound(round).log_start_at_ms).toBeNull();
  const inputs = await service.inputs(round.id);
  expect(inputs?.import).toMatchObject({
    sha256: sha256(LOG),
    bytes: LOG.length,
    summary: {
      lines: 2,
      requests: 2,
      problem_count: 0,
      out_of_order: 1,
      first: "2026-10-25T10:00:01.000000000Z",
    },
  });
  expect(JSON.parse(inputs?.import?.mapping ?? "")).toEqual(MAPPING);
  // The log is let go without waiting for the next start.
  await expect.poll(() => store.artifacts.has(sha256(LOG))).toBe(false);
  const stream = await service.file(round.id, "stream");
  expect(stream?.name).toBe("access.log.requests.jsonl");
  const text = await readFile(stream!.path, "utf8");
  expect(sha256(text)).toBe(inputs?.stream.sha256);
  expect(text.split("\n")[1]).toContain('"arrival_ms":0');
  expect(await service.inputs(round.id, { raw: false, mask_key: null })).toMatchObject({
    import: { summary: { problems: [] } },
  });
});

test("strict reading refuses a log by its own lines; the inputs tell each", async () => {
  const round = await ended(await submit(`${LOG}junk\n`, MAPPING, "strict"));
  expect(round.state).toBe("refused");
  expect(round.problem).toMatchObject({ status: 2, line_count: 1, lines: [{ line: 3 }] });
  expect(round.problem?.message).toContain("access.log");
  expect((await service.inputs(round.id))?.import?.summary?.problems).toMatchObject([
    { line: 3, text: "junk" },
  ]);
});

test("lenient reading leaves bad lines out under their own numbers, and such a round is never clean", async () => {
  const round = await ended(await submit(`junk\n${LOG}`, MAPPING, "lenient"));
  expect(round.summary).toMatchObject({
    requests: 2,
    exit_status: 2,
    skipped: { count: 1, lines: [{ line: 1 }] },
  });
  // The page and the export tell the import's reason, but not behind a link that withholds the stream or masks names.
  const said = async (access: { raw: boolean; mask_key: string | null }) => {
    const rows = await service.table(round.id, { table: "lines" } as TableQuery, access);
    const told: ExportRow[] = [];
    for await (const row of rows!) told.push(row);
    return told;
  };
  expect(await said({ raw: true, mask_key: null })).toEqual([
    {
      line: 1,
      field: "",
      reason: expect.stringContaining("does not fit the format"),
      round: "access.log",
      round_id: null,
    },
  ]);
  expect(await said({ raw: false, mask_key: null })).toEqual([
    {
      line: 1,
      field: "",
      reason: expect.stringContaining("is no object"),
      round: "access.log",
      round_id: null,
    },
  ]);
  expect(await said({ raw: false, mask_key: "k" })).toEqual([
    {
      ...{ line: 1, field: "", reason: expect.stringContaining("withheld") },
      ...{ round: "A round with masked names", round_id: null },
    },
  ]);
});

test("a log with its mapping is decided again, and studied, from the log where it was refused, else from its stream", async () => {
  const studies = new Studies(store, askStudy(store));
  const lab = new FaultStudies(store, service, studies);
  const study = async (started: SubmitResult) => {
    if (!started.ok) throw new Error(JSON.stringify(started.problems));
    for (;;) {
      const found = await lab.get(started.id);
      if (found !== null && !["waiting", "running"].includes(found.item.state)) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const done = await ended(await submit(LOG, MAPPING, "strict"));
  const refused = await ended(await submit(`${LOG}junk\n`, MAPPING, "strict"));
  const { contract, policy } = await service.scenario();
  const rows = ["denylist-ignored"];

  const comparisons = new Comparisons(store, service, studies);
  for (const [round, state] of [
    [done, "done"],
    [refused, "refused"],
  ] as const) {
    const again = await ended(await comparisons.underPolicy(round.id, { name: "p.json", text: policy }));
    expect(again).toMatchObject({ state, stream_name: "access.log" });
    expect(again.problem?.lines ?? []).toEqual(round.problem?.lines ?? []);
  }

  const documents = {
    contract: { name: "contract.json", text: contract },
    policy: { name: "policy.json", text: policy },
  };
  const stream = { kind: "text" as const, name: "access.log", text: `${LOG}junk\n` };
  const given = { ...documents, stream, mapping: MAPPING };
  const lenient = await study(await lab.start({ ...given, reading: "lenient" }, rows, 10));
  expect(lenient.item).toMatchObject({ state: "done", result: { requests: 2, skipped: 1 } });
  // What was studied is kept: rounds are made of it, not of the log.
  expect(lenient.item.result?.stream_sha256).not.toBeNull();
  const made = await lab.roundOf(lenient.item.id, "denylist-ignored", "stream");
  expect((await ended(made!)).summary).toMatchObject({ requests: 2, skipped: { count: 0 } });
  const strict = await study(await lab.start({ ...given, reading: "strict" }, rows, 10));
  expect(strict.item).toMatchObject({ state: "failed", problem: "Stream refused: 1 bad line in access.log" });
  expect((await study(await lab.startOfRound(done.id, rows, 10))).item.result).toMatchObject({ requests: 2 });
  expect((await study(await lab.startOfRound(refused.id, rows, 10))).item.problem).toContain("1 bad line");
  expect(await lab.start({ ...given, mapping: {}, reading: "strict" }, rows, 10)).toMatchObject({
    ok: false,
  });
});

test("a mapping that is none starts no round", async () => {
  const wrong = { ...MAPPING, arrival: { field: "time_local", unit: "clf", zone: "Nowhere" } };
  expect(await submit(LOG, wrong, "strict")).toMatchObject({
    ok: false,
    problems: [{ path: "arrival.zone" }],
  });
  expect(await submit(LOG, { ...MAPPING, format: { id: "canonical" } }, "strict")).toMatchObject({
    ok: false,
    problems: [{ path: "format.id" }],
  });
});

test("mappings are kept by name, replaced, and forgotten; one that is none is not kept", async () => {
  expect(await service.mappings.save("edge", MAPPING)).toEqual([]);
  expect(await service.mappings.save("edge", { ...MAPPING, mode: { by: "constant", mode: "soft" } })).toEqual(
    [],
  );
  expect((await service.mappings.list()).map(({ name, mapping }) => [name, mapping.mode])).toEqual([
    ["edge", { by: "constant", mode: "soft" }],
  ]);
  expect(await service.mappings.save("", MAPPING)).toMatchObject([{ path: "name" }]);
  expect(await service.mappings.save("x", {})).not.toEqual([]);
  expect(await service.mappings.remove("edge")).toBe(true);
  expect(await service.mappings.list()).toEqual([]);
});
