import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";
import { keyOfMutant, lineOf, readJustified } from "./justified.ts";
import type { MutationRoom } from "./rooms.ts";

/** What Stryker keeps of a run, as far as it is touched here. */
interface IncrementalReport {
  files: Record<string, { mutants: { status: string }[] }>;
}

const KILLED = new Set(["Killed", "Timeout"]);
const ALIVE = new Set(["Survived", "NoCoverage"]);

type Sources = ReadonlyMap<string, string[]>;

/** The lines of all sources as they are when a run begins: it takes long, and who edits meanwhile moves them. */
const readSources = (): Sources =>
  new Map(globSync("lib/**/*.ts").map((file) => [resolve(file), readFileSync(file, "utf8").split("\n")]));

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
  process.env.MUTATION_ROOT = process.cwd();
  process.env.MUTATION_JUSTIFIED = resolve(room.justified);
  // Interleavings begin from the time of day otherwise: a mutant that survives once must survive again.
  process.env.GATE_SEED ??= "1";
  // An interleaving takes long; what only thousands of them would notice is worth a test of its own.
  process.env.GATE_RUNS ??= "400";
  const sources = readSources();
  const incrementalFile = `.cache/mutation/${room.name}-incremental.json`;
  forgetSurvivors(incrementalFile);
  const found = await new Stryker({
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
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 20,
  }).runMutationTest();

  const isAsked = (file: string) => files.length === 0 || files.includes(file);
  // What is remembered of other files comes along, but without their survivors: it would raise the score.
  const mutants = found.filter(({ fileName }) => isAsked(relative(process.cwd(), fileName)));
  const justified = readJustified(room.justified);
  const used = new Set<string>();
  const unexplained: string[] = [];
  for (const mutant of mutants.filter(({ status }) => ALIVE.has(status))) {
    const source = sources.get(mutant.fileName) ?? [];
    const key = keyOfMutant(mutant, source, process.cwd());
    if (justified.has(key)) used.add(key);
    else
      unexplained.push(
        `${relative(process.cwd(), mutant.fileName)}:${mutant.location.start.line} ${mutant.mutatorName} (${mutant.status})\n    ${lineOf(mutant, source)}\n  → ${mutant.replacement.split("\n")[0]}`,
      );
  }
  const stale = [...justified]
    .filter(([key, { file }]) => !used.has(key) && isAsked(file))
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
