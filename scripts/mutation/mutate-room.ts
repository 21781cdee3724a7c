import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";
import type { MutationRoom } from "./rooms.ts";

/** A survivor that no test can kill, or need not, and why. Lines may move: the text of the line tells it. */
interface Justified {
  file: string;
  /** The line that was changed, trimmed. */
  line: string;
  /** What Stryker put in the place of a part of it; its first line, trimmed. */
  replacement: string;
  why: string;
}

/** What Stryker keeps of a run, as far as it is touched here. */
interface IncrementalReport {
  files: Record<string, { mutants: { status: string }[] }>;
}

type Mutant = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

const KILLED = new Set(["Killed", "Timeout"]);
const ALIVE = new Set(["Survived", "NoCoverage"]);

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").trim();

type Sources = ReadonlyMap<string, string[]>;

/** The lines of all sources as they are when a run begins: it takes long, and who edits meanwhile moves them. */
const readSources = (): Sources =>
  new Map(globSync("lib/**/*.ts").map((file) => [resolve(file), readFileSync(file, "utf8").split("\n")]));

const lineOf = ({ fileName, location }: Mutant, sources: Sources): string =>
  (sources.get(resolve(fileName))?.[location.start.line - 1] ?? "").trim();

const keyOf = (file: string, line: string, replacement: string): string =>
  JSON.stringify([file, line, replacement]);

function readJustified(path: string): Map<string, Justified> {
  const rows = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Justified[]) : [];
  for (const row of rows)
    if (row.why.trim() === "") throw new Error(`${path}: a survivor without a reason is not justified`);
  return new Map(rows.map((row) => [keyOf(row.file, row.line, row.replacement), row]));
}

/**
 * What the last run found is taken over where neither mutant nor killing test have changed. A survivor is always tried
 * again: of what is evaluated while a module loads Stryker cannot tell which test it would have to ask.
 */
function forgetSurvivors(path: string): void {
  if (!existsSync(path)) return;
  const report = JSON.parse(readFileSync(path, "utf8")) as IncrementalReport;
  for (const file of Object.values(report.files))
    file.mutants = file.mutants.filter(({ status }) => status === "Killed");
  writeFileSync(path, JSON.stringify(report));
}

/**
 * Mutates one room and prints its score: mutants noticed by a test, of all that could be run. False where one survives
 * that is not justified, or where a justification is about no survivor.
 * @param files only these of the room's; none: all
 */
export async function mutateRoom(room: MutationRoom, files: readonly string[] = []): Promise<boolean> {
  process.env.MUTATION_TESTS = room.tests.join(",");
  // Interleavings begin from the time of day otherwise: a mutant that survives once must survive again.
  process.env.GATE_SEED ??= "1";
  // An interleaving takes long; what only thousands of them would notice is worth a test of its own.
  process.env.GATE_RUNS ??= "400";
  const sources = readSources();
  const incrementalFile = `.cache/mutation/${room.name}-incremental.json`;
  forgetSurvivors(incrementalFile);
  const mutants = await new Stryker({
    mutate: files.length === 0 ? room.mutate : [...files],
    plugins: [fileURLToPath(new URL("./in-process-runner.ts", import.meta.url))],
    testRunner: "in-process",
    // What was loaded anew is never let go: so many mutants a process.
    maxTestRunnerReuse: 300,
    coverageAnalysis: "perTest",
    concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 1),
    // Each result as soon as it is there: a run takes long, and its survivors can be worked on meanwhile.
    reporters: ["progress-append-only", "json", "event-recorder"],
    eventReporter: { baseDir: `.cache/mutation/${room.name}-events` },
    jsonReporter: { fileName: `.cache/mutation/${room.name}.json` },
    incremental: true,
    incrementalFile,
    tempDirName: ".cache/mutation/sandbox",
    ignorePatterns: [
      ".next",
      "data",
      "e2e",
      "app",
      "components",
      "public",
      "docs",
      "test-results",
      "playwright-report",
    ],
    // TypeScript 7 has no interface that Stryker could rewrite a tsconfig by; nothing here needs one.
    tsconfigFile: "none.json",
    disableTypeChecks: false,
    allowConsoleColors: false,
    // A survivor is asked twice, the second time among modules loaded anew. What never ends is told by its hits long before.
    timeoutFactor: 4,
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 20,
  }).runMutationTest();

  const justified = readJustified(room.justified);
  const used = new Set<string>();
  const unexplained: string[] = [];
  for (const mutant of mutants.filter(({ status }) => ALIVE.has(status))) {
    const file = relative(process.cwd(), mutant.fileName);
    const key = keyOf(file, lineOf(mutant, sources), firstLine(mutant.replacement));
    if (justified.has(key)) used.add(key);
    else
      unexplained.push(
        `${file}:${mutant.location.start.line} ${mutant.mutatorName} (${mutant.status})\n    ${lineOf(mutant, sources)}\n  → ${firstLine(mutant.replacement)}`,
      );
  }
  const stale = [...justified]
    .filter(([key, { file }]) => !used.has(key) && (files.length === 0 || files.includes(file)))
    .map(([, row]) => row);
  const killed = mutants.filter(({ status }) => KILLED.has(status)).length;
  const alive = mutants.filter(({ status }) => ALIVE.has(status)).length;
  const broken = mutants.length - killed - alive;

  for (const text of unexplained) console.log(`SURVIVED ${text}`);
  for (const { file, line, replacement } of stale) console.log(`STALE ${file}: ${line} → ${replacement}`);
  const score = killed + alive === 0 ? 0 : (100 * killed) / (killed + alive);
  console.log(
    `${room.name}: ${mutants.length} mutants, ${killed} killed, ${alive} survived (${alive - unexplained.length} justified), ${broken} could not be run; score ${score.toFixed(1)} %`,
  );
  return unexplained.length === 0 && stale.length === 0 && killed > 0;
}
