import { expect, test } from "vitest";
import { TrialFolder } from "../trials/trial-folder.ts";
import { findSignals } from "./find-signals.ts";
import { runRound } from "./run-round.ts";

test("five signals say well of every case of the contract, each on grounds of its own (§5.5)", () =>
  TrialFolder.use(async (folder) => {
    const wrong: unknown[] = [];
    let cases = 0;
    for await (const { name, files } of folder.cases()) {
      const round = await runRound(files, { reading: "strict", faults: [] });
      if (round.kind === "refused") throw new Error(`${name}: ${round.problem.message}`);
      const { board, probe, acceptance } = await findSignals(round, files, "strict");
      cases += 1;
      const isWell = board.signals.every(
        ({ claim, grounded, lies }) => claim === "well" && grounded && !lies,
      );
      const broken = acceptance.filter(({ passed }) => passed !== true);
      if (round.status !== 0 || !isWell || board.false_green || board.disagree || broken.length > 0)
        wrong.push({ name, status: round.status, board, probe, broken });
    }
    expect(wrong).toEqual([]);
    expect(cases).toBeGreaterThan(40);
  }));
