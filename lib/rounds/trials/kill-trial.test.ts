import { expect, test } from "vitest";
import { killTrial } from "./kill-trial.ts";

// `node scripts/kill-test.ts` does the same fifty times.
test("killed at random moments: every round is finished after the next start, and no file is left", async () => {
  const { faults, states, killed_at, processes_killed_at } = await killTrial({
    kills: 4,
    requests: 2000,
    latest_ms: 1500,
  });
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
  expect(faults).toEqual([]);
  expect(Object.keys(states).filter((state) => state !== "done" && state !== "failed")).toEqual([]);
  expect(states.failed ?? 0).toBeLessThanOrEqual(sum(processes_killed_at));
  expect(sum(killed_at)).toBe(4);
}, 120_000);
