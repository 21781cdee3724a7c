import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PhaseProgress } from "../../contract/round-view.ts";
import { QueryEngine } from "../store/query-engine.ts";
import { RoundView } from "../store/round-view.ts";
import { viewFilesIn } from "../store/view-format.ts";
import { writeOrders } from "../store/view-orders.ts";
import { type DecidedRound, runRound } from "./run-round.ts";
import { PROBLEM_FAULTS } from "./scenario.ts";
import { TrialFolder } from "./trial-folder.ts";
import { writeView } from "./write-view.ts";

test("of what differs the first of each check are kept where there is too much, under the positions of the whole", () =>
  TrialFolder.use(async (folder) => {
    const { files } = folder.scenario();
    const round = (await runRound(files, {
      reading: "strict",
      faults: PROBLEM_FAULTS,
      trace: true,
    })) as DecidedRound;
    const engine = await QueryEngine.open([folder.path], join(folder.path, "queries"));
    const openOf = async (name: string, kept?: number) => {
      const path = join(folder.path, name);
      await mkdir(path);
      const place = { files: viewFilesIn(path), temporary: join(path, "temporary") };
      const told: PhaseProgress[] = [];
      await writeView(round, place, (progress) => told.push(progress), kept);
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
    const { view, rows } = await openOf("bounded", 2);
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
    engine.close();
  }));
