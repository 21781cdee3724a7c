import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { projectRoot } from "../settings.ts";
import { SCENARIO } from "./scenario.ts";
import { VERIFY_CRITERIA } from "./verify-criteria.ts";
import { verifyRun } from "./verify-run.ts";

const GROUPS = [
  "inputs fail closed",
  "refill",
  "groups",
  "order",
  "reserve",
  "queueing",
  "denylist",
  "report",
  "health",
  "signals",
];

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A project whose scenario has one text replaced in one file; everything else is the project's own. */
async function withScenario(file: string, from: string, to: string, run: () => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "verify-"));
  try {
    for (const name of ["lib", "node_modules", "package.json"])
      await symlink(join(projectRoot(), name), join(root, name));
    await cp(join(projectRoot(), "contract"), join(root, "contract"), { recursive: true });
    const path = join(root, "contract", "scenario", SCENARIO, file);
    const text = await readFile(path, "utf8");
    expect(text).toContain(from);
    await writeFile(path, text.replace(from, to));
    vi.stubEnv("THROTTLE_ROOT", root);
    await run();
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

test("criteria are in ten groups, each by a clause, none there twice (§7)", () => {
  expect([...new Set(VERIFY_CRITERIA.map(({ group }) => group))]).toEqual(GROUPS);
  for (const { clause } of VERIFY_CRITERIA) expect(clause).toMatch(/^§[1-7](\.\d)?$/);
  const titles = VERIFY_CRITERIA.map(({ group, title }) => `${group}: ${title}`);
  expect(new Set(titles).size).toBe(titles.length);
});

test("criteria look at the scenario: one cost changed breaks its figures, and nothing of reading inputs", async () => {
  await withScenario("requests.jsonl", '"cost": 6.0', '"cost": 6.1', async () => {
    const failed = (await verifyRun()).filter(({ holds }) => !holds);
    const titles = failed.map(({ title }) => title);
    expect(titles).toContain("req-0013 waits 550 ms");
    expect(titles).toContain("the checksum is the expected one");
    expect(failed.map(({ group }) => group)).not.toContain("inputs fail closed");
    // On the scenario acceptance knows the figures of §7 too: that lamp tells of the changed cost, and no other does.
    expect(titles).toContain("five signals say well of the clean round");
  });
});

test("a denylist that is empty is found by the criteria of the denylist", async () => {
  await withScenario("policy.json", '"t-delta"\n  ]', '"t-epsilon"\n  ]', async () => {
    const failed = (await verifyRun()).filter(({ holds }) => !holds).map(({ title }) => title);
    expect(failed).toContain("the denylisted request is rejected as such");
    expect(failed).toContain("the denylisted tenant has no bucket");
    expect(failed).toContain("it is not dispatched");
  });
});
