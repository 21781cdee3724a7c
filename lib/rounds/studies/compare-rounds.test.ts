import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { ChangeRow } from "../../../contract/comparison.ts";
import type { Decision, Report } from "../../../contract/report.ts";
import { runRound } from "../run/run-round.ts";
import { PROBLEM_FAULTS } from "../trials/scenario.ts";
import { TrialFolder } from "../trials/trial-folder.ts";
import { compareDocuments } from "./compare-documents.ts";
import { type ComparedSide, compareRounds } from "./compare-rounds.ts";
import { comparedSide, sideOfReport } from "./compared-side.ts";

/** A report as it is read from its file. */
type FileReport = Omit<Report, "decisions"> & { decisions: Decision[] };

const side = (report: FileReport): ComparedSide => ({
  report,
  contract: null,
  policy: null,
  stream_sha256: report.input.stream_sha256,
});

/** A comparison with every request that differs. */
function compared(a: ComparedSide, b: ComparedSide) {
  const changes: ChangeRow[] = [];
  return { ...compareRounds(a, b, (change) => changes.push(change)), changes };
}

let clean: FileReport;
let problem: FileReport;
beforeAll(async () => {
  await TrialFolder.use(async (folder) => {
    const reportOf = async (faults: readonly string[]) => {
      const round = await runRound(folder.scenario().files, { reading: "strict", faults });
      if (round.kind === "refused") throw new Error(round.problem.message);
      return JSON.parse(await readFile(folder.scenario().files.report, "utf8")) as FileReport;
    };
    clean = await reportOf([]);
    problem = await reportOf(PROBLEM_FAULTS);
  });
});

const withDecision = (report: FileReport, id: string, changed: Partial<Decision>): FileReport => ({
  ...report,
  decisions: report.decisions.map((row) => (row.req_id === id ? { ...row, ...changed } : row)),
});

describe("two rounds", () => {
  test("a round beside itself is the same, whatever the order of its rows and keys", () => {
    const turned = {
      ...clean,
      decisions: clean.decisions.toReversed(),
      per_tenant: Object.fromEntries(Object.entries(clean.per_tenant).reverse()),
    };
    const { comparison, changes, tenants } = compared(side(clean), side(turned));
    expect(comparison).toMatchObject({ same: true, flips: 0, details: 0, only_a: 0, only_b: 0 });
    expect(changes).toEqual([]);
    expect(tenants).toEqual([]);
  });

  test("flips are counted both ways, by tenant and by verdict, and the sums agree", () => {
    const { comparison, changes, tenants } = compared(side(clean), side(problem));
    expect(comparison.same).toBe(false);
    expect(comparison.counts).toEqual({ a: clean.counts, b: problem.counts });
    const flips = changes.filter(({ kind }) => kind === "flip");
    expect(flips.length).toBeGreaterThan(0);
    expect(comparison.flips).toBe(flips.length);
    const between = comparison.verdicts
      .filter(({ a, b }) => a !== b)
      .reduce((sum, { count }) => sum + count, 0);
    expect(between).toBe(comparison.flips);
    expect(tenants.reduce((sum, row) => sum + row.flips, 0)).toBe(comparison.flips);
    const gained = flips.filter(({ b }) => b?.verdict === "accepted").length;
    expect(tenants.reduce((sum, row) => sum + row.gained, 0)).toBe(gained);
  });

  test("B beside A is A beside B, turned round", () => {
    const forth = compared(side(clean), side(problem));
    const back = compared(side(problem), side(clean));
    const byId = (rows: typeof forth.changes) =>
      rows
        .map(({ req_id, kind, a, b }) => [req_id, kind, a, b] as const)
        .sort(([x], [y]) => (x < y ? -1 : 1));
    expect(byId(back.changes)).toEqual(byId(forth.changes).map(([id, kind, a, b]) => [id, kind, b, a]));
    expect(back.comparison.breaches).toEqual({
      a: forth.comparison.breaches.b,
      b: forth.comparison.breaches.a,
    });
  });

  test("another wait alone is a detail, not a flip; a request of one side alone is neither", () => {
    const { comparison } = compared(side(clean), side(withDecision(clean, "req-0013", { wait_ms: 551 })));
    expect(comparison).toMatchObject({ same: false, flips: 0, details: 1, only_a: 0, only_b: 0 });
    const shorter = { ...clean, decisions: clean.decisions.slice(1) };
    expect(compared(side(clean), side(shorter)).comparison).toMatchObject({ only_a: 1, only_b: 0 });
    expect(compared(side(shorter), side(clean)).comparison).toMatchObject({ only_a: 0, only_b: 1 });
  });

  test("a request that is decided twice on one side is not the same", () => {
    const twice = { ...clean, decisions: [...clean.decisions, clean.decisions[3]!] };
    expect(compared(side(clean), side(twice)).comparison).toMatchObject({
      same: false,
      only_a: 0,
      only_b: 1,
    });
    expect(compared(side(twice), side(clean)).comparison).toMatchObject({
      same: false,
      only_a: 1,
      only_b: 0,
    });
    expect(compared(side(twice), side(twice)).comparison.same).toBe(true);
  });

  test("requests are paired by their ids in whatever order they come", () => {
    const ids = fc.array(fc.constantFrom("a", "b", "c", "__proto__", "é", "\uD800"), { maxLength: 12 });
    const rowOf = (req_id: string): Decision => ({ ...clean.decisions[0]!, req_id });
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        const left = [...b];
        const only_a = a.filter((id) => {
          const at = left.indexOf(id);
          if (at >= 0) left.splice(at, 1);
          return at < 0;
        });
        const sides = [a, b].map((of) => side({ ...clean, decisions: of.map(rowOf) }));
        const { changes } = compared(sides[0]!, sides[1]!);
        const idsOf = (of: string) => changes.filter(({ kind }) => kind === of).map(({ req_id }) => req_id);
        expect(idsOf("only_a")).toEqual(only_a);
        // Which one of several alike is left is not told.
        expect(idsOf("only_b").sort()).toEqual(left.sort());
        expect(changes).toHaveLength(only_a.length + left.length);
      }),
    );
  });

  test("a report that is read by streaming is the same side as one read whole", () =>
    TrialFolder.use(async (folder) => {
      const none = { contract: null, policy: null };
      for (const change of [
        (text: string) => text,
        (text: string) => JSON.stringify(JSON.parse(text), null, 1),
        (text: string) => text.replace('"wait_ms":550', '"wait_ms":-1'),
        (text: string) => text.replace('"wait_ms":550', '"wait_ms":550,"more":1'),
        (text: string) => text.replace('"decisions":[', '"decisions":[7,'),
        (text: string) => text.replace('"decisions"', '"else"'),
        (text: string) => text.replace('"counts"', '"else"'),
      ]) {
        const path = await folder.write("changed.json", change(JSON.stringify(clean)));
        const [whole, streamed] = [await sideOfReport(path, none), await sideOfReport(path, none, 0)];
        expect(streamed.ok).toBe(whole.ok);
        if (!whole.ok || !streamed.ok) {
          expect(streamed).toEqual(whole);
          continue;
        }
        const rows = (of: ComparedSide) => ({ ...of.report, decisions: [...of.report.decisions] });
        expect(rows(streamed.side)).toEqual(rows(whole.side));
        expect(compared(whole.side, streamed.side).comparison.same).toBe(true);
      }
    }));

  test("figures that differ where every decision is the same are a difference", () => {
    const { comparison, tenants } = compared(
      side(clean),
      side({
        ...clean,
        per_tenant: { ...clean.per_tenant, "t-beta": { ...clean.per_tenant["t-beta"]!, used: 1 } },
      }),
    );
    expect(comparison).toMatchObject({ same: false, flips: 0, details: 0 });
    expect(tenants.map(({ tenant }) => tenant)).toEqual(["t-beta"]);
  });

  test("a tenant called __proto__ is compared like any other", () => {
    const text = JSON.stringify(clean).replaceAll("t-beta", "__proto__");
    const hostile = JSON.parse(text) as FileReport;
    expect(compared(side(hostile), side(JSON.parse(text) as FileReport)).comparison.same).toBe(true);
    const { tenants } = compared(side(hostile), side(clean));
    expect(tenants.map(({ tenant }) => tenant).sort()).toEqual(["__proto__", "t-beta"]);
  });
});

describe("documents", () => {
  const policy = (capacity: string, order: string[] = ["a", "b"]) =>
    `{"tenants": [${order.map((name) => `{"tenant": "${name}", "capacity": ${name === "a" ? capacity : 5}}`).join(", ")}], "denylist": ["x"]}`;

  test("fields are told apart by the names of their tenants, not by their places", () => {
    expect(compareDocuments(policy("1"), policy("2", ["b", "a"]), "policy")).toEqual({
      known: true,
      changes: [{ path: 'tenants["a"].capacity', a: "1", b: "2" }],
      more: 0,
    });
  });

  test("a number is its text: no digit is lost in the telling", () => {
    expect(
      compareDocuments(policy("100000000000.000001"), policy("100000000000.000002"), "policy"),
    ).toMatchObject({
      changes: [{ a: "100000000000.000001", b: "100000000000.000002" }],
    });
  });

  test("what is not there was not compared, and is never told as the same", () => {
    expect(compareDocuments(null, policy("1"), "policy")).toEqual({
      known: false,
      why: "A came without a policy",
    });
    expect(compareDocuments(policy("1"), "{", "policy")).toMatchObject({ known: false });
  });
});

describe("what people have at hand", () => {
  test("a report file, and a folder of a round with its documents", async () => {
    await TrialFolder.use(async (folder) => {
      const files = folder.scenario().files;
      const report = await folder.write("a-report.json", JSON.stringify(clean));
      const own = join(folder.path, "round");
      await mkdir(own);
      await writeFile(join(own, "report.json"), JSON.stringify(clean));
      await writeFile(join(own, "policy.json"), await readFile(files.policy, "utf8"));
      const [alone, whole] = [await comparedSide(report), await comparedSide(own)];
      if (!alone.ok || !whole.ok) throw new Error("not read");
      expect(alone.side).toMatchObject({ policy: null, stream_sha256: clean.input.stream_sha256 });
      expect(whole.side.policy).toContain("t-alpha");
      expect(compared(alone.side, whole.side).comparison).toMatchObject({
        same: true,
        policy: { known: false },
      });
    });
  });

  test("what is no report is told, never taken for an empty one", async () => {
    await TrialFolder.use(async (folder) => {
      for (const text of ["{}", "not json", '{"counts": {}}'])
        expect((await comparedSide(await folder.write("x.json", text))).ok).toBe(false);
      expect((await comparedSide(await folder.write("x.zip", "PK\u0003\u0004broken"))).ok).toBe(false);
      expect((await comparedSide(join(folder.path, "nowhere"))).ok).toBe(false);
      expect((await comparedSide(folder.path)).ok).toBe(false);
    });
  });
});
