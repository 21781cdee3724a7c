import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RedisServer } from "../gate/shared/redis-server.ts";
import { TrialFolder } from "../rounds/trials/trial-folder.ts";
import { main } from "./main.ts";

let out: string[] = [];
beforeEach(() => {
  out = [];
  vi.spyOn(console, "log").mockImplementation((line) => void out.push(String(line)));
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
});
afterEach(() => vi.restoreAllMocks());

const line = () => JSON.parse(out.at(-1) ?? "null");

test("run, health and probe on the scenario: clean", () =>
  TrialFolder.use(async ({ path }) => {
    const report = ["--report", join(path, "report.json")];
    expect(await main(["run", ...report])).toBe(0);
    expect(line()).toMatchObject({
      counts: { accepted: 9, queued: 4, rejected: 4, reserve_breached: 1 },
      totals: { capacity: 38, used: 37, over_capacity: 0 },
      ok: true,
      status: 0,
      mismatches: 0,
    });
    expect(line().checks).toBeGreaterThan(100);
    expect(await main(["health", ...report])).toBe(0);
    expect(line()).toMatchObject({ degraded: false, status: 0, issues: [] });
    expect(await main(["probe", ...report])).toBe(0);
    expect(out.at(-1)).toBe("RESULT: OK");
  }));

test("the environment names files, a flag wins over it", () =>
  TrialFolder.use(async ({ path }) => {
    const report = ["--report", join(path, "report.json")];
    vi.stubEnv("THROTTLE_CONTRACT", "/nonexistent");
    expect(await main(["run", ...report])).toBe(3);
    expect(line()).toMatchObject({ ok: false, status: 3, checks: 0 });
    expect(await main(["health", ...report])).toBe(3);
    expect(
      await main(["run", ...report, "--contract", "contract/scenario/2026-10-25-1000/contract.json"]),
    ).toBe(0);
    vi.unstubAllEnvs();
    vi.stubEnv("THROTTLE_REPORT", "/nonexistent");
    expect(await main(["health"])).toBe(2);
    expect(await main(["probe"])).toBe(3);
    expect(out.at(-1)).toMatch(/^RESULT: UNJUDGED/);
    vi.unstubAllEnvs();
  }));

test("faults are repeatable; a report that differs is BAD for the probe", () =>
  TrialFolder.use(async ({ path }) => {
    const report = ["--report", join(path, "report.json")];
    expect(await main(["run", ...report, "--fault", "silent-breach", "--fault", "exit-zero"])).toBe(0);
    expect(await main(["run", ...report, "--fault", "silent-breach"])).toBe(2);
    expect(await main(["probe", ...report])).toBe(1);
    expect(out.at(-1)).toMatch(/^RESULT: BAD \(\d+ mismatches\)$/);
    expect(await main(["run", ...report, "--fault", "nope"])).toBe(3);
  }));

test("conform: agreement is 0; a difference, no case, or nothing at all is 2", () =>
  TrialFolder.use(async (folder) => {
    expect(await main(["conform", "contract/cases"])).toBe(0);
    expect(line()).toMatchObject({ equal: true, expected: true, engine: { checksum: expect.any(String) } });
    const text = await readFile("contract/cases/grace-edge.json", "utf8");
    expect(
      await main(["conform", await folder.write("wrong.json", text.replace('"queued": 1', '"queued": 2'))]),
    ).toBe(2);
    expect(line()).toMatchObject({ equal: true, expected: false });
    expect(await main(["conform", await folder.write("broken.json", text.slice(9))])).toBe(2);
    expect(await main(["conform", "/nonexistent"])).toBe(2);
    expect(await main(["conform-gate", "contract/gate-cases"])).toBe(0);
    expect(line()).toMatchObject({ equal: true, shared: null });
  }));

test("gate cases are played on the shared store too where a server is named, and nowhere if it is not there", async () => {
  const server = await RedisServer.start();
  try {
    vi.stubEnv("THROTTLE_REDIS", server.url);
    expect(await main(["conform-gate", "contract/gate-cases/exact-thirds.json"])).toBe(0);
    expect(line().shared).toEqual(line().memory);
    expect(line()).toMatchObject({ equal: true, shared: { evictions: { full: 0, lossy: 0 } } });
  } finally {
    vi.unstubAllEnvs();
    await server.stop();
  }
  out = [];
  expect(await main(["conform-gate", "--redis", server.url, "contract/gate-cases"])).toBe(3);
  expect(out).toEqual([]);
});

test("help is 0; what cannot be understood is 3", async () => {
  expect(await main(["--help"])).toBe(0);
  expect(await main(["run", "--help"])).toBe(0);
  expect(await main(["nonsense"])).toBe(3);
  expect(await main(["run", "--nonsense"])).toBe(3);
});
