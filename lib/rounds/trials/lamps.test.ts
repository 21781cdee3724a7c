import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SIGNALS, type SignalName } from "../../../contract/signals.ts";
import { projectRoot } from "../settings.ts";

/**
 * Each lamp is broken in the code of its own path, in a copy of the sources, and the clean round of the scenario is run
 * there as the service runs it: in a process, with the probe in another.
 */
let root: string;

/** One line of a lamp's own path, and what breaks it: the lamp then says not well of a round that is. */
const BREAKS: Record<SignalName, { file: string; line: string; broken: string }> = {
  report: {
    file: "lib/rounds/run/find-signals.ts",
    line: "report: round.report.ok,",
    broken: "report: !round.report.ok,",
  },
  exit: {
    file: "lib/rounds/run/run-round.ts",
    line: "status: signals.exitStatus(loaded.ok ? truth.status : health.status),",
    broken: "status: 2,",
  },
  health: {
    file: "lib/rounds/run/run-round.ts",
    line: "loaded.ok && isHonest(signals) ? truth : claimHealth(report, recomputed, signals, expected);",
    broken: "({ ...claimHealth(report, recomputed, signals), status: 2 as const, mismatches: 1 });",
  },
  probe: {
    file: "lib/probe/comparison.ts",
    line: "else if (reported !== expected) this.mismatch(path, reported, expected);",
    broken: "else this.mismatch(path, reported, expected);",
  },
  acceptance: {
    file: "lib/acceptance/accept-report.ts",
    line: "const finding = judge(evidence);",
    broken: 'const finding = id === "report.ok" ? "broken" : judge(evidence);',
  },
};

const SCRIPT = `
import { findSignals } from "./lib/rounds/run/find-signals.ts";
import { runRound } from "./lib/rounds/run/run-round.ts";
import { TrialFolder } from "./lib/rounds/trials/trial-folder.ts";
await TrialFolder.use(async (folder) => {
  const { files } = folder.scenario();
  const round = await runRound(files, { reading: "strict", faults: [] });
  const { board } = await findSignals(round, files, "strict");
  console.log(JSON.stringify(board.signals.map(({ name, claim }) => [name, claim])));
});
`;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "lamps-"));
  await cp(join(projectRoot(), "lib"), join(root, "lib"), { recursive: true });
  for (const name of ["contract", "node_modules", "package.json"])
    await symlink(join(projectRoot(), name), join(root, name));
  await writeFile(join(root, "lamps.mjs"), SCRIPT);
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Runs the clean round with lines of the copy replaced, and puts them back. Lamps that are not well, by name. */
async function redWith(breaks: readonly { file: string; line: string; broken: string }[]): Promise<string[]> {
  const originals = new Map<string, string>();
  try {
    for (const { file, line, broken } of breaks) {
      const text = await readFile(join(root, file), "utf8");
      if (!originals.has(file)) originals.set(file, text);
      expect(text.split(line).length, `${file} has the line once: ${line}`).toBe(2);
      await writeFile(join(root, file), text.replace(line, broken));
    }
    const env = { ...process.env, THROTTLE_ROOT: root };
    const { stdout } = await promisify(execFile)(process.execPath, ["lamps.mjs"], { cwd: root, env });
    const claims = JSON.parse(stdout) as [string, string][];
    expect(claims.map(([name]) => name)).toEqual([...SIGNALS]);
    return claims.filter(([, claim]) => claim !== "well").map(([name]) => name);
  } finally {
    for (const [file, text] of originals) await writeFile(join(root, file), text);
  }
}

test("with nothing broken no lamp is red", async () => {
  expect(await redWith([])).toEqual([]);
});

test.each(SIGNALS)("%s broken in its own path turns that lamp alone red (§5.5)", async (name) => {
  expect(await redWith([BREAKS[name]])).toEqual([name]);
});

const PAIRS = SIGNALS.flatMap((a, at) => SIGNALS.slice(at + 1).map((b) => [a, b] as const));
test.each(PAIRS)("%s and %s broken turn these two red, and no third", async (a, b) => {
  expect(await redWith([BREAKS[a], BREAKS[b]])).toEqual([a, b]);
});

test("the exit is the status that health's checks come to (§5.4): these broken, both are red, and no third", async () => {
  const broken = {
    file: "lib/health/compare-values.ts",
    line: "if (reported === expected)",
    broken: "if (reported === 17)",
  };
  expect(await redWith([broken])).toEqual(["exit", "health"]);
});

test("the reference is shared by those that recompute (§5.5): broken, it reddens them, and not the others", async () => {
  const broken = {
    file: "lib/reference/rules.ts",
    line: "amount < 0n ? 0n : amount",
    broken: "amount < 0n ? 0n : amount + 1n",
  };
  expect(await redWith([broken])).toEqual(["exit", "health", "probe"]);
});
