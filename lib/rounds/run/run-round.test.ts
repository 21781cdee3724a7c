import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { negativeRun } from "../trials/negative-run.ts";
import { FALSE_GREEN_FAULTS, PROBLEM_FAULTS } from "../trials/scenario.ts";
import { TrialFolder } from "../trials/trial-folder.ts";
import { verifyRun } from "../trials/verify-run.ts";
import { judgeReportFile } from "./judge-report.ts";
import { type RoundFiles, runRound } from "./run-round.ts";

const strict = { reading: "strict", faults: [] } as const;

/** Runs the scenario with some of its files replaced. */
function onScenario<Result>(
  work: (files: RoundFiles, folder: TrialFolder) => Promise<Result>,
): Promise<Result> {
  return TrialFolder.use((folder) => work(folder.scenario().files, folder));
}

test.each([
  ["contract", 3],
  ["policy", 3],
  ["input", 2],
] as const)("a missing %s is status %d, and no report is written", (part, status) =>
  onScenario(async (files, folder) => {
    const round = await runRound({ ...files, [part]: join(folder.path, "nowhere") }, strict);
    expect(round).toMatchObject({ kind: "refused", status, problem: { status } });
    await expect(access(files.report)).rejects.toThrow("ENOENT");
  }),
);

test.each([
  ["a directory", null],
  ["nothing", ""],
  ["binary", new Uint8Array([0, 255, 1])],
  ["a key twice", '{"version": 1, "version": 1}'],
  ["no JSON", "{"],
  ["a control character in a string", '{"version": "\t"}'],
  ["deep nesting", "[".repeat(200_000)],
])("a contract that is %s is status 3", (_, content) =>
  onScenario(async (files, folder) => {
    const contract = content === null ? folder.path : await folder.write("contract", content);
    expect(await runRound({ ...files, contract }, strict)).toMatchObject({ kind: "refused", status: 3 });
  }),
);

test("health on a report that exists: 0, on a missing one 2, without contract or policy 3", () =>
  onScenario(async (files, folder) => {
    await runRound(files, strict);
    const nowhere = join(folder.path, "nowhere");
    expect(await judgeReportFile(files, "strict")).toMatchObject({ status: 0, degraded: false });
    expect(await judgeReportFile({ ...files, report: nowhere }, "strict")).toMatchObject({
      status: 2,
      checks: 0,
    });
    expect(await judgeReportFile({ ...files, input: nowhere }, "strict")).toMatchObject({
      status: 2,
      checks: 0,
    });
    expect(await judgeReportFile({ ...files, contract: nowhere }, "strict")).toMatchObject({ status: 3 });
    expect(await judgeReportFile({ ...files, policy: nowhere }, "strict")).toMatchObject({ status: 3 });
    const bom = await folder.write("bom.json", `\ufeff${await readFile(files.report, "utf8")}`);
    expect(await judgeReportFile({ ...files, report: bom }, "strict")).toMatchObject({ status: 0 });
    const cut = await folder.write("cut.json", (await readFile(files.report, "utf8")).slice(0, -20));
    expect(await judgeReportFile({ ...files, report: cut }, "strict")).toMatchObject({
      status: 2,
      checks: 0,
    });
  }));

test("the problem state ends with 2; with faults of signals it claims 0 while the truth is shown beside it", () =>
  onScenario(async (files) => {
    const problem = await runRound(files, { reading: "strict", faults: PROBLEM_FAULTS });
    expect(problem).toMatchObject({ status: 2, health: { status: 2 } });
    const faults = [...PROBLEM_FAULTS, ...FALSE_GREEN_FAULTS];
    const claimed = await runRound(files, { reading: "strict", faults });
    expect(claimed).toMatchObject({
      status: 0,
      report: { ok: true },
      health: { status: 0, checks: 0 },
      truth: { status: 2, degraded: true },
    });
  }));

test("lenient reading keeps the first hundred bad lines and counts all", () =>
  onScenario(async (files, folder) => {
    const input = await folder.write("bad", `${await readFile(files.input, "utf8")}${"x\n".repeat(250)}`);
    const round = await runRound({ ...files, input }, { reading: "lenient", faults: [] });
    expect(round).toMatchObject({ kind: "decided", status: 2, truth: { mismatches: 0, indeterminate: 0 } });
    if (round.kind === "decided") {
      expect(round.report.input.skipped.count).toBe(250);
      expect(round.report.input.skipped.lines).toHaveLength(100);
      expect(round.report.input.skipped.lines[0]).toMatchObject({ line: 18, field: "" });
    }
    const refused = await runRound({ ...files, input }, strict);
    expect(refused).toMatchObject({ kind: "refused", status: 2, problem: { line_count: 250 } });
  }));

test("an unknown fault is an error that lists the known ones", () =>
  onScenario(async (files) => {
    await expect(runRound(files, { reading: "strict", faults: ["nope"] })).rejects.toThrow(
      /unknown fault "nope"; known: request-at-a-time, /,
    );
  }));

test("the acceptance run: at least 37 criteria, all hold", async () => {
  const results = await verifyRun();
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(37);
}, 60_000);

test("the negative run: all 18 faults are caught", async () => {
  const results = await negativeRun();
  expect(results.filter(({ caught }) => !caught)).toEqual([]);
  expect(results).toHaveLength(18);
}, 60_000);
