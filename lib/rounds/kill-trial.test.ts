import { expect, test } from "vitest";
import { killTrial } from "./kill-trial.ts";

// `node scripts/kill-test.ts` does the same fifty times.
test("killed at random moments: every round is finished after the next start, and no file is left", async () => {
  const { faults, states, killed_at } = await killTrial({ kills: 4, requests: 2000, latest_ms: 1500 });
  expect(faults).toEqual([]);
  expect(Object.keys(states).filter((state) => state !== "done")).toEqual([]);
  expect(Object.values(killed_at).reduce((sum, kills) => sum + kills, 0)).toBe(4);
}, 120_000);
