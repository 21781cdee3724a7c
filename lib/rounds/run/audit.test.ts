import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Report } from "../../../contract/report.ts";
import type { RoundListItem } from "../../../contract/round-view.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { entry, MAPPING } from "../logs/combined-log.ts";
import { RoundsService } from "../service.ts";
import type { AuditSubmission } from "../submit-audit.ts";
import { scenarioFiles } from "../trials/scenario.ts";
import { runRound } from "./run-round.ts";

let folder: string;
let store: Store;
let service: RoundsService;
/** What the engine reports of the scenario, and with the arithmetic of binary64. */
let honest: Report;
let floating: Report;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "throttle-audit-"));
  store = await openStore(join(folder, "data"));
  service = new RoundsService(store);
  const run = async (faults: string[]) => {
    const files = { ...scenarioFiles(), report: join(folder, "report.json") };
    const round = await runRound(files, { reading: "strict", faults });
    if (round.kind === "refused") throw new Error(round.problem.message);
    return JSON.parse(await readFile(files.report, "utf8")) as Report;
  };
  honest = await run([]);
  floating = await run(["float-arithmetic"]);
}, 60_000);

afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** The audit of a report's text over the scenario, once it has ended. */
async function audited(report: string, changes: Partial<AuditSubmission> = {}): Promise<RoundListItem> {
  const { contract, policy, stream } = await service.scenario();
  const submitted = await service.audit({
    reading: "strict",
    contract: { name: "contract.json", text: contract },
    policy: { name: "policy.json", text: policy },
    stream: { kind: "text", name: "requests.jsonl", text: stream },
    report: { kind: "text", name: "theirs.json", text: report },
    exit_status: 0,
    ...changes,
  });
  if (!submitted.ok) throw new Error(submitted.problems[0]?.message);
  return vi.waitFor(
    async () => {
      const round = (await service.round(submitted.id))!;
      expect(["waiting", "running"]).not.toContain(round.state);
      return round;
    },
    { timeout: 30_000, interval: 100 },
  );
}

async function openPlaces(id: string) {
  return (await (await service.view(id))!.places({ result: "open", limit: 500, offset: 0 })).rows;
}

describe("a report that was made elsewhere", () => {
  test("and is right is well by all five signals, and its round has all views of the reference", async () => {
    const round = await audited(JSON.stringify(honest));
    expect(round).toMatchObject({ state: "done", name: "theirs.json", audit: { exit_status: 0 } });
    expect(round.summary!.board.signals.map(({ claim, grounded }) => [claim, grounded])).toEqual(
      Array(5).fill(["well", true]),
    );
    const view = (await service.view(round.id))!;
    expect((await view.decisions({ sort: "dispatch", dir: "asc", limit: 100, offset: 0 })).total).toBe(17);
    expect((await view.balances(["t-alpha"], 100, "reference"))[0]!.points.length).toBeGreaterThan(0);
    expect((await view.groups("engine", "t-alpha", { limit: 10, offset: 0 })).total).toBe(0);
    const inputs = (await service.inputs(round.id))!;
    expect(inputs.report).not.toBeNull();
  });

  test("is read however other programs write: BOM, 38.0, other order of keys, other layout", async () => {
    const backwards = Object.fromEntries(Object.entries(honest).reverse());
    const text = `\uFEFF\r\n${JSON.stringify(backwards, null, 4).replace('"capacity": 38,', '"capacity": 38.0,')}`;
    expect(text).toContain("38.0,");
    expect((await audited(text)).summary!.truth).toMatchObject({
      status: 0,
      mismatches: 0,
      indeterminate: 0,
    });
  });

  test("that lacks fields is indeterminate there, and never well", async () => {
    for (const partial of [
      {},
      { counts: honest.counts },
      { decisions: honest.decisions },
      { ok: true },
      [],
      null,
      5,
    ]) {
      const { summary } = await audited(JSON.stringify(partial));
      expect(summary!.truth.status).toBe(2);
      expect(summary!.truth.indeterminate).toBeGreaterThan(0);
      expect(summary!.truth.mismatches).toBe(0);
      const { board } = summary!;
      for (const { name, claim } of board.signals)
        if (["health", "probe", "acceptance"].includes(name)) expect(claim, name).not.toBe("well");
      expect(board.false_green, "the exit status 0 that was told lies").toBe(true);
    }
  });

  test("whose exit status nobody told has no exit signal", async () => {
    const { summary } = await audited(JSON.stringify(honest), { exit_status: null });
    expect(summary!.board.signals.find(({ name }) => name === "exit")).toMatchObject({ claim: "unknown" });
  });

  test("with the wait of binary64 is a mismatch, classed as the noise it is", async () => {
    const round = await audited(JSON.stringify(floating));
    const waits = (await openPlaces(round.id)).filter(({ check }) => check === "decisions.wait_ms");
    expect(waits).toContainEqual(
      expect.objectContaining({
        subject: "req-0013",
        result: "mismatch",
        reported: "551",
        expected: "550",
        noise: expect.stringContaining("In binary64 (6 − 3.7999999999999994)"),
      }),
    );
    for (const { noise } of waits) expect(noise).toMatch(/^In binary64 .* rounded up/);
    expect(round.summary!.truth.status).toBe(2);
  });

  test("with amounts a last place off is classed so, one that is further off is not", async () => {
    const changed = structuredClone(honest);
    changed.totals.used = 36.99999999999999;
    changed.per_tenant["t-alpha"]!.closing_tokens += 1e-6;
    const open = await openPlaces((await audited(JSON.stringify(changed))).id);
    const noiseOf = (path: string) => open.find((place) => place.path === path)?.noise;
    expect(noiseOf("totals.used")).toContain("roundings of binary64");
    expect(noiseOf('per_tenant["t-alpha"].closing_tokens')).toBeNull();
  });

  test("over a log, or a packed stream, is judged over the stream made from it, which is kept", async () => {
    const log = { kind: "text" as const, name: "access.log", text: entry(1) + entry(2) };
    const theirs = (verdict: string) =>
      JSON.stringify({ counts: { accepted: 0, queued: 0, [verdict]: 2, reserve_breached: 0 } });
    const right = await audited(theirs("rejected"), { stream: log, mapping: MAPPING });
    expect(right.summary).toMatchObject({ requests: 2, truth: { mismatches: 0 } });
    expect((await service.inputs(right.id))?.import?.summary).toMatchObject({ lines: 2, requests: 2 });
    const wrong = await audited(theirs("accepted"), { stream: log, mapping: MAPPING });
    expect(wrong.summary!.truth.mismatches).toBeGreaterThan(0);
    const bad = await audited("{}", { stream: { ...log, text: `${entry(1)}junk\n` }, mapping: MAPPING });
    expect(bad).toMatchObject({ state: "refused", problem: { lines: [{ line: 2 }] } });

    const packed = store.artifacts.put([gzipSync((await service.scenario()).stream)]);
    const stream = { kind: "stored" as const, name: "requests.jsonl.gz", ...(await packed) };
    expect((await audited(JSON.stringify(honest), { stream })).summary).toMatchObject({ requests: 17 });
  });

  test("that is no JSON, or whose stream is refused, cannot be judged and says so", async () => {
    const broken = await audited("nothing");
    expect(broken).toMatchObject({ state: "refused", problem: { status: 2 } });
    expect(broken.problem!.message).toContain("Report unavailable: theirs.json");
    const stream = { kind: "text", name: "bad.jsonl", text: "{}\n" } as const;
    const refused = await audited(JSON.stringify(honest), { stream });
    expect(refused).toMatchObject({ state: "refused", problem: { line_count: 1, status: 2 } });
  });

  test("whose contract or policy is unavailable is not stored, and says why", async () => {
    const { policy, stream } = await service.scenario();
    const submitted = await service.audit({
      reading: "strict",
      contract: { name: "contract.json", text: "{}" },
      policy: { name: "policy.json", text: policy },
      stream: { kind: "text", name: "requests.jsonl", text: stream },
      report: { kind: "text", name: "theirs.json", text: "{}" },
      exit_status: null,
    });
    if (submitted.ok) throw new Error("it was stored");
    expect(submitted.problems[0]).toMatchObject({ file: "contract.json", path: "version" });
  });

  test("goes into a bundle like any other", async () => {
    const round = await audited(JSON.stringify(floating));
    const bundle = (await service.bundle(round.id))!;
    await bundle.chunks.return(undefined);
    expect(bundle.name).toBe("theirs.json.bundle.zip");
  });
});
