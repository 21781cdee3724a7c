import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acceptReport } from "../../acceptance/accept-report.ts";
import { compareReport } from "../../health/compare-report.ts";
import { runProbe } from "../../probe/run-probe.ts";
import { TrialFolder } from "../trials/trial-folder.ts";
import { expectedFor, judgeReportFile } from "./judge-report.ts";
import { readReport, readReportRows } from "./read-report.ts";
import { type DecidedRound, runRound } from "./run-round.ts";

/** Changes of a report's text that leave it JSON. */
const CHANGES: readonly [string, (text: string) => string][] = [
  ["as it is", (text) => text],
  ["in another layout", (text) => JSON.stringify(JSON.parse(text), null, 2)],
  ["a wait another one", (text) => text.replace('"wait_ms":550', '"wait_ms":551')],
  ["a field too many in a row", (text) => text.replace('"wait_ms":550', '"wait_ms":550,"extra":[1]')],
  ["a row of another kind", (text) => text.replace('"decisions":[', '"decisions":[null,7,["x"],')],
  ["a row twice", (text) => text.replace(/"decisions":\[(\{[^}]*\})/, '"decisions":[$1,$1')],
  ["no decisions", (text) => text.replace('"decisions":', '"__proto__":')],
  [
    "decisions that are no list",
    (text) => text.replace('"decisions":[', '"decisions":{"a":[').replace('],"dispatch', ']},"dispatch'),
  ],
  ["an order of numbers", (text) => text.replace('"dispatch_order":[', '"dispatch_order":[1,')],
  ["figures twice", (text) => text.replace(',"engine"', ',"decisions":[],"engine"')],
  ["followed by something", (text) => `${text.trimEnd()} `],
  ["a key twice", (text) => text.replace('"ok":true', '"ok":false,"ok":true')],
];

test.each(CHANGES)("a report %s is judged alike, read whole or by streaming", (_, change) =>
  TrialFolder.use(async (folder) => {
    const { files } = folder.scenario();
    const round = (await runRound(files, { reading: "strict", faults: [] })) as DecidedRound;
    const path = await folder.write("changed.json", change(await readFile(files.report, "utf8")));
    const judge = async (read: Awaited<ReturnType<typeof readReport>>) => {
      if (!read.ok || !round.recomputed.ok) throw new Error("nothing to judge");
      const expected = expectedFor(round.recomputed, read.value);
      const { contract, policy } = round.documents;
      const accepted = acceptReport({
        contract,
        policy,
        columns: round.columns,
        report: read.value,
        contentChecksum: expected.contentChecksum,
      });
      return [compareReport(read.value, expected), accepted];
    };
    const whole = await judge(await readReport(path));
    expect(await judge(await readReportRows(path, 0))).toEqual(whole);
    const changed = { ...files, report: path };
    expect(await judgeReportFile(changed, "strict", 0)).toEqual(whole[0]);
    expect(await judgeReportFile(changed, "strict")).toEqual(whole[0]);
    const probe = { ...changed, reading: "strict" } as const;
    expect(await runProbe(probe, 0)).toEqual(await runProbe(probe));
  }),
);

test("a report that is not there, or is none, says so", () =>
  TrialFolder.use(async (folder) => {
    const nowhere = join(folder.path, "nowhere");
    const broken = await folder.write("broken.json", '{"decisions":[');
    for (const path of [nowhere, broken])
      expect(await readReportRows(path, 0)).toEqual({ ok: false, message: expect.stringMatching(/./) });
  }));
