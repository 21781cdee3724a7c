import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { GroupRow } from "../../../contract/group.ts";
import type { PhaseProgress } from "../../../contract/round-view.ts";
import { tracedAgain } from "../../engine/decide-round.ts";
import { groupRows } from "../../engine/group-rows.ts";
import { QueryEngine } from "../../store/query-engine.ts";
import { RoundView } from "../../store/round-view.ts";
import { viewFilesIn } from "../../store/view-format.ts";
import { writeOrders } from "../../store/view-orders.ts";
import { PROBLEM_FAULTS } from "../trials/scenario.ts";
import { TrialFolder } from "../trials/trial-folder.ts";
import { auditRound } from "./audit-round.ts";
import { type DecidedRound, runRound } from "./run-round.ts";
import { type ViewOptions, writeView } from "./write-view.ts";

test("of what differs the first of each check are kept where there is too much, under the positions of the whole", () =>
  TrialFolder.use(async (folder) => {
    const { files } = folder.scenario();
    const round = (await runRound(files, {
      reading: "strict",
      faults: PROBLEM_FAULTS,
      trace: true,
    })) as DecidedRound;
    const engine = await QueryEngine.open([folder.path], join(folder.path, "queries"));
    const openOf = async (name: string, options: ViewOptions = {}) => {
      const path = join(folder.path, name);
      await mkdir(path);
      const place = { files: viewFilesIn(path), temporary: join(path, "temporary") };
      const told: PhaseProgress[] = [];
      await writeView(round, place, (progress) => told.push(progress), options);
      // What is said to come comes, whatever is left out.
      const totals = told.map(({ total }) => total);
      expect(new Set(totals)).toEqual(new Set([told.at(-1)!.done]));
      await writeOrders(place.files, place.temporary);
      const view = new RoundView(engine, place.files);
      const { rows } = await view.places({ result: "open", limit: 500, offset: 0 });
      return { view, rows: rows.toSorted((a, b) => a.position - b.position) };
    };
    const whole = await openOf("whole");
    expect(whole.rows).toHaveLength(round.truth.mismatches + round.truth.indeterminate);
    const { view, rows } = await openOf("bounded", { differencesKept: 2 });
    const seen = new Map<string, number>();
    const first = whole.rows.filter(({ check }) => {
      seen.set(check, (seen.get(check) ?? 0) + 1);
      return seen.get(check)! <= 2;
    });
    expect(first.length).toBeLessThan(whole.rows.length);
    expect(rows).toEqual(first);
    // Those that match are not counted among them.
    expect(await view.places({ result: "match", limit: 1, offset: 0 })).toMatchObject({
      total: (await whole.view.places({ result: "match", limit: 1, offset: 0 })).total,
    });
    // Without those that match, differences are counted among themselves, also those that are not looked at.
    const open = whole.rows.map((place, position) => ({ ...place, position }));
    const few = await openOf("few", { differencesKept: 2, matchesKept: 0 });
    const positions = first.map(({ position }) => whole.rows.findIndex((row) => row.position === position));
    expect(few.rows).toEqual(positions.map((position) => open[position]));
    const all = await openOf("differing", { matchesKept: 0 });
    expect(all.rows).toEqual(open);
    for (const { view: without } of [few, all])
      expect(await without.places({ result: "match", limit: 1, offset: 0 })).toEqual({ rows: [], total: 0 });
    engine.close();
  }));

test("of a clean round without its matches nothing is looked at, and nothing kept", () =>
  TrialFolder.use(async (folder) => {
    const { files } = folder.scenario();
    const round = (await runRound(files, { reading: "strict", faults: [], trace: true })) as DecidedRound;
    const engine = await QueryEngine.open([folder.path], join(folder.path, "queries"));
    const told: PhaseProgress[] = [];
    const place = { files: viewFilesIn(folder.path), temporary: join(folder.path, "temporary") };
    expect(await writeView(round, place, (progress) => told.push(progress), { matchesKept: 0 })).toBe(false);
    const { columns, outcome } = round;
    expect(told.at(-1)).toMatchObject({ total: columns.count + 2 * outcome.groups.count });
    const { places } = await rowsOf(new RoundView(engine, place.files));
    expect(places).toEqual([]);
    engine.close();
  }));

/** All rows of a view, as its pages ask for them. */
async function rowsOf(view: RoundView) {
  const rows = async <Row>(walk: AsyncIterable<Row>): Promise<Row[]> => {
    const all: Row[] = [];
    for await (const row of walk) all.push(row);
    return all;
  };
  const names = await view.tenantNames();
  return {
    tenants: await rows(view.eachTenant({ sort: "name" })),
    decisions: await rows(view.eachDecision({ sort: "dispatch", dir: "asc" })),
    places: await rows(view.eachPlace({ result: "all" })),
    worst: (await view.places({ result: "open", limit: 500, offset: 0 })).rows,
    groups: await Promise.all(names.map((name) => rows(view.eachGroup(name)))),
    breaches: await rows(view.eachBreach()),
  };
}

test.each([
  ["clean", [], "scenario"],
  ["faulty", PROBLEM_FAULTS, "scenario"],
  ["of single requests", ["input-order", "queue-forever", "reserve-to-zero"], "request"],
] as const)(
  "a view is the same whether the recomputation's rows are let go as soon as they are written or never: %s",
  (_, faults, kind) =>
    TrialFolder.use(async (folder) => {
      const { files } = folder.scenario();
      if (kind === "request") {
        const contract = JSON.parse(await readFile(files.contract, "utf8"));
        files.contract = await folder.write("contract.json", JSON.stringify({ ...contract, group_by: kind }));
      }
      const engine = await QueryEngine.open([folder.path], join(folder.path, "queries"));
      const written = async (name: string, letsGo: boolean) => {
        const round = (await runRound(files, { reading: "strict", faults, trace: true })) as DecidedRound;
        if (!round.recomputed.ok) throw new Error(round.recomputed.problem.message);
        const { reference } = round.recomputed;
        const groups = [
          ...groupRows(tracedAgain(round.documents.contract, round.documents.policy, round.outcome)),
        ];
        const found = [...reference.groups];
        const shown = (side: GroupRow[]) =>
          side.map((group) => ({ ...group, members: group.req_ids.length }));
        const path = join(folder.path, name);
        await mkdir(path);
        const place = { files: viewFilesIn(path), temporary: join(path, "temporary") };
        let told = 0;
        const onReferenceWritten = () => {
          told += 1;
          if (letsGo) reference.letGo();
        };
        await writeView(round, place, () => {}, { onReferenceWritten });
        expect(told).toBe(1);
        if (letsGo) expect(() => reference.groups.at(0)).toThrow("these rows were let go");
        await writeOrders(place.files, place.temporary);
        return {
          groups: shown(groups),
          found: shown(found),
          rows: await rowsOf(new RoundView(engine, place.files)),
        };
      };
      const kept = await written("kept", false);
      const { rows, groups, found } = await written("let-go", true);
      expect(rows).toEqual(kept.rows);
      const bySource = (source: string) =>
        rows.groups
          .flat()
          .flatMap(({ source: from, ...group }) => (from === source ? [group] : []))
          .sort((a, b) => a.position - b.position);
      expect(groups.length).toBeGreaterThan(5);
      expect(bySource("engine")).toEqual(groups);
      expect(bySource("reference")).toEqual(found);
      engine.close();
    }),
);

test("an audit's view is made of the recomputation, whose rows are asked for until it is written", () =>
  TrialFolder.use(async (folder) => {
    const { files } = folder.scenario();
    await runRound(files, { reading: "strict", faults: PROBLEM_FAULTS });
    const engine = await QueryEngine.open([folder.path], join(folder.path, "queries"));
    const views = await Promise.all(
      // Read before the recomputation, and where it is large after it.
      [Number.POSITIVE_INFINITY, 0].map(async (streamedFrom, at) => {
        const round = await auditRound(files, { reading: "strict" }, streamedFrom);
        if (round.kind === "refused") throw new Error(round.problem.message);
        const path = join(folder.path, `audit-${at}`);
        await mkdir(path);
        const place = { files: viewFilesIn(path), temporary: join(path, "temporary") };
        const onReferenceWritten = () => round.recomputed.reference.letGo();
        await writeView(round, place, () => {}, { onReferenceWritten });
        await writeOrders(place.files, place.temporary);
        const { truth, contentChecksum } = round;
        return { truth, contentChecksum, rows: await rowsOf(new RoundView(engine, place.files)) };
      }),
    );
    expect(views[0]!.truth.mismatches).toBeGreaterThan(5);
    expect(views[1]).toEqual(views[0]);
    engine.close();
  }));
