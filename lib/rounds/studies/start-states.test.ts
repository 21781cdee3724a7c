import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { StartStates } from "../../../contract/start-states.ts";
import { runRound } from "../run/run-round.ts";
import { TrialFolder } from "../trials/trial-folder.ts";
import { findStartStates, type StartStateResult } from "./start-states.ts";

type Found = Extract<StartStateResult, { ok: true }>;

async function found(
  change: { policy?: (text: string) => string; stream?: (text: string) => string } = {},
): Promise<Found> {
  return TrialFolder.use(async (folder) => {
    const { files } = folder.scenario();
    const policy = await folder.write(
      "policy.json",
      (change.policy ?? String)(await readFile(files.policy, "utf8")),
    );
    const input = await folder.write(
      "in.jsonl",
      (change.stream ?? String)(await readFile(files.input, "utf8")),
    );
    const result = await findStartStates({ ...files, policy, input, reading: "strict" });
    if (!result.ok) throw new Error(result.message);
    return result;
  });
}

test("the scenario from full and from empty: what depends on it is marked, and the reference agrees on both", async () => {
  const { result, rows, tenants } = await found();
  expect(result.agreed).toEqual({ full: true, empty: true });
  expect(result.counts.stated).toEqual({ accepted: 9, queued: 4, rejected: 4, reserve_breached: 1 });
  expect(result.counts.empty.accepted).toBeLessThan(result.counts.full.accepted);
  expect(result.depends).toBe(rows.length);
  expect(result.depends).toBeGreaterThan(0);
  expect(tenants.reduce((sum, { depends }) => sum + depends, 0)).toBe(result.depends);
  expect(tenants.reduce((sum, { flips }) => sum + flips, 0)).toBe(result.flips);
  for (const row of rows) expect([row.full, row.empty]).not.toEqual([row.stated, row.stated]);
  // A denied tenant has no bucket, and so no start.
  expect(rows.some(({ tenant }) => tenant === "t-delta")).toBe(false);
});

test("each side is what a round with that opening balance decides, request by request", async () => {
  const { rows } = await found();
  for (const state of ["full", "empty"] as const)
    await TrialFolder.use(async (folder) => {
      const { files } = folder.scenario();
      const policy = JSON.parse(await readFile(files.policy, "utf8")) as {
        tenants: { capacity: number; opening_tokens?: number }[];
      };
      for (const tenant of policy.tenants) tenant.opening_tokens = state === "full" ? tenant.capacity : 0;
      const round = await runRound(
        { ...files, policy: await folder.write("p.json", JSON.stringify(policy)) },
        { reading: "strict", faults: [] },
      );
      if (round.kind === "refused") throw new Error(round.problem.message);
      const decisions = new Map([...round.report.decisions].map((decision) => [decision.req_id, decision]));
      for (const row of rows) expect(decisions.get(row.req_id)).toMatchObject(row[state]);
    });
});

test("where nothing is ever short, nothing depends on the start but what comes before the buckets fill", async () => {
  const one = (arrival: number) =>
    `{"req_id": "r${arrival}", "tenant": "t-alpha", "arrival_ms": ${arrival}, "cost": 1, "mode": "soft"}\n`;
  const { result, rows } = await found({ stream: () => one(0) + one(3_600_000) });
  expect(rows.map(({ req_id }) => req_id)).toEqual(["r0"]);
  expect(result).toMatchObject({
    requests: 2,
    depends: 1,
    tenants_that_depend: 1,
  } satisfies Partial<StartStates>);
});

test("an empty stream depends on nothing", async () => {
  const { result } = await found({ stream: () => "" });
  expect(result).toMatchObject({ requests: 0, depends: 0, flips: 0, agreed: { full: true, empty: true } });
});

test("inputs that cannot be judged are told, never found to depend on nothing", async () => {
  await expect(found({ stream: () => "not json\n" })).rejects.toThrow("1 bad line");
  await expect(found({ policy: () => "{}" })).rejects.toThrow("unavailable");
});
