import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type CollectedFile, type CollectedTest, takeCollected } from "./collect-tests.ts";
import { type Justified, keyOfMutant, readJustified } from "./justified.ts";

/**
 * Runs a room's tests for one mutant after the other in one process, since to load the modules anew costs far more than
 * the tests that notice a mutant. What a mutant leaves behind must not tell of the next one, so nothing is believed
 * that the process alone says: a mutant is noticed only where the test that failed is well again without it, and it has
 * survived only where it survives among freshly loaded modules too.
 */

/** What instrumented sources keep in the global scope. */
interface Instrumented {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: object; perTest: DryRun["hits"] };
}
const instrumented: Instrumented = {};
Object.assign(globalThis, { __stryker__: instrumented });

interface LoadedTest extends CollectedTest {
  id: string;
  fileName: string;
  file: CollectedFile;
}
interface Failure {
  test: LoadedTest;
  message: string;
  isEndless?: boolean;
}
/** How long each test took, and how often each mutant was met in it. */
interface DryRun {
  took_ms: [test: string, ms: number][];
  hits: Record<string, Record<string, number>>;
}
interface MutantRun {
  testFilter?: string[];
  hitLimit?: number;
  activeMutant: { id: string; fileName: string; location: { start: { line: number } }; replacement: string };
  mutantActivation: "runtime" | "static";
}
type MutantResult =
  | { status: "killed"; killedBy: string[]; failureMessage: string; nrOfTests: number }
  | { status: "survived"; nrOfTests: number }
  | { status: "timeout"; reason: string };

/** A test that has not been run yet comes last: it may be a slow one. */
const NOT_RUN_MS = 1e9;
/** What the run without mutants told, kept in the copy that is mutated: it is known to each process. */
const DRY_RUN_FILE = "dry-run.json";
/** A mutant that is met so many times as often as in a test without it never ends. Stryker's factor, but test by test. */
const ENDLESS = 100;
/** What only spares work is met once for each of thousands of requests where it is taken away: that is no endless loop. */
const ENDLESS_AT_LEAST = 100_000;
const SUCCESS = 0;
const FAILED = 1;

const ownUrl = (name: string): string => new URL(name, import.meta.url).href;
const collector = ownUrl("./collect-tests.ts");
const fewRuns = ownUrl("./few-runs.ts");
/** Where the instrumented copy of the project stands: known once the runner begins. */
let root = "nowhere";

/** Modules of one generation are loaded once; those of the next are loaded anew. */
let generation = 0;

registerHooks({
  resolve(specifier, context, next) {
    const isOurs = context.parentURL?.startsWith(root) ?? false;
    if (specifier === "vitest" && isOurs) return { url: collector, shortCircuit: true };
    if (specifier === "fast-check" && isOurs) return { url: fewRuns, shortCircuit: true };
    const found = next(specifier, context);
    return found.url.startsWith(root) ? { ...found, url: `${found.url}?generation=${generation}` } : found;
  },
});

/** What a test does not wait for may fail behind it. */
const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));
console.info = () => {};

/** Loads the test files, each with what its tests need. Times and megabytes are watched elsewhere (`linear-time.test.ts`). */
async function loadTests(): Promise<LoadedTest[]> {
  generation += 1;
  const loaded: LoadedTest[] = [];
  const patterns = (process.env.MUTATION_TESTS ?? "").split(",");
  for (const path of globSync(patterns, { exclude: ["**/linear-time.test.ts"] }).sort()) {
    await import(`${pathToFileURL(resolve(path)).href}?generation=${generation}`);
    const file = takeCollected();
    for (const hook of file.beforeAll) await hook();
    const names = new Map<string, number>();
    for (const test of file.tests) {
      const seen = names.get(test.name) ?? 0;
      names.set(test.name, seen + 1);
      const name = seen === 0 ? test.name : `${test.name} (${seen + 1})`;
      loaded.push({ ...test, name, id: `${path}#${name}`, fileName: resolve(path), file });
    }
  }
  return loaded;
}

/** Lets go what the files of tests hold. */
async function leaveTests(tests: readonly LoadedTest[]): Promise<void> {
  for (const file of new Set(tests.map((test) => test.file))) for (const hook of file.afterAll) await hook();
}

/** Why a test fails, or null. */
async function failureOf(test: LoadedTest): Promise<Failure | null> {
  unhandled.length = 0;
  try {
    await test.run();
    for (const hook of test.file.afterEach) await hook();
    await new Promise((turn) => setImmediate(turn));
    if (unhandled.length === 0) return null;
    return { test, message: String(unhandled[0]) };
  } catch (error) {
    for (const hook of test.file.afterEach) {
      try {
        await hook();
      } catch {
        // What a failed test has left half made may be more than its clearing up can bear.
      }
    }
    return { test, message: error instanceof Error ? error.message : String(error) };
  }
}

class InProcessRunner {
  static readonly inject = [] as const;
  #tests: LoadedTest[] = [];
  /** How long each test took when it was last well, in milliseconds: what is quick is asked first. */
  readonly #took_ms = new Map<string, number>();
  #hits: DryRun["hits"] = {};
  #hitLimit: number | undefined;
  readonly #justified: ReadonlyMap<string, Justified> = readJustified(process.env.MUTATION_JUSTIFIED ?? "");

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    root = pathToFileURL(`${process.cwd()}/`).href;
    if (existsSync(DRY_RUN_FILE)) {
      const { took_ms, hits } = JSON.parse(readFileSync(DRY_RUN_FILE, "utf8")) as DryRun;
      for (const [id, ms] of took_ms) this.#took_ms.set(id, ms);
      this.#hits = hits;
    }
    await this.#load(undefined);
  }

  async dispose(): Promise<void> {
    await leaveTests(this.#tests);
  }

  async dryRun() {
    const tests = [];
    for (const test of this.#tests) {
      instrumented.currentTestId = test.id;
      const start = performance.now();
      const failure = await failureOf(test);
      const timeSpentMs = performance.now() - start;
      this.#took_ms.set(test.id, timeSpentMs);
      instrumented.currentTestId = undefined;
      const { id, name, fileName } = test;
      const failed = failure === null ? {} : { failureMessage: failure.message };
      tests.push({ id, name, fileName, timeSpentMs, status: failure === null ? SUCCESS : FAILED, ...failed });
    }
    this.#hits = instrumented.mutantCoverage?.perTest ?? {};
    writeFileSync(DRY_RUN_FILE, JSON.stringify({ took_ms: [...this.#took_ms], hits: this.#hits }));
    return { status: "complete", tests, mutantCoverage: instrumented.mutantCoverage };
  }

  async mutantRun({
    testFilter,
    hitLimit,
    activeMutant,
    mutantActivation,
  }: MutantRun): Promise<MutantResult> {
    const { id } = activeMutant;
    const asked = testFilter === undefined ? null : new Set(testFilter);
    this.#hitLimit = hitLimit;
    if (mutantActivation === "runtime" && !this.#isJustified(activeMutant)) {
      const found = await this.#try(id, asked);
      if (found !== null && (await this.#isWellWithout(found))) return this.#told(found, asked);
    }
    // Loaded anew: with the mutant where it works while modules load, and before it otherwise.
    try {
      instrumented.hitLimit = hitLimit;
      await this.#load(mutantActivation === "static" ? id : undefined);
    } catch (error) {
      takeCollected();
      await this.#load(undefined);
      return this.#told({ test: this.#tests[0]!, message: `not loaded: ${error}` }, asked);
    }
    const found = await this.#try(id, asked);
    const told = this.#told(found, asked);
    // What a mutant left behind that nobody noticed makes no test pass that would not: survivors are told anew each time.
    if (found !== null || mutantActivation === "static") await this.#load(undefined);
    const again = found === null ? undefined : this.#tests.find((test) => test.id === found.test.id);
    if (again !== undefined && (await failureOf(again)) !== null)
      throw new Error(`${again.id} fails without a mutant`);
    return told;
  }

  /** A survivor that is known is asked once, where it counts. */
  #isJustified(mutant: MutantRun["activeMutant"]): boolean {
    const source = readFileSync(mutant.fileName, "utf8").split("\n");
    return this.#justified.has(keyOfMutant(mutant, source, process.env.MUTATION_ROOT ?? ""));
  }

  async #load(mutant: string | undefined): Promise<void> {
    await leaveTests(this.#tests);
    this.#tests = [];
    instrumented.activeMutant = mutant;
    instrumented.hitCount = 0;
    this.#tests = await loadTests();
    instrumented.activeMutant = undefined;
  }

  /** The first test that fails with a mutant; null: none of those asked for does. */
  async #try(mutant: string, asked: ReadonlySet<string> | null): Promise<Failure | null> {
    const tests = this.#tests.filter((test) => asked?.has(test.id) ?? true);
    const tookOf = ({ id }: LoadedTest) => this.#took_ms.get(id) ?? NOT_RUN_MS;
    tests.sort((a, b) => tookOf(a) - tookOf(b));
    for (const test of tests) {
      const hits = this.#hits[test.id]?.[mutant];
      const limit = hits === undefined ? this.#hitLimit : Math.max(ENDLESS * hits, ENDLESS_AT_LEAST);
      instrumented.hitCount = 0;
      instrumented.hitLimit = limit;
      instrumented.activeMutant = mutant;
      const failure = await this.#run(test);
      instrumented.activeMutant = undefined;
      const { hitCount } = instrumented;
      if (limit !== undefined && hitCount > limit)
        return { test, message: `hit ${hitCount} times`, isEndless: true };
      if (failure !== null) return failure;
    }
    return null;
  }

  async #run(test: LoadedTest): Promise<Failure | null> {
    const start = performance.now();
    const failure = await failureOf(test);
    if (failure === null) this.#took_ms.set(test.id, performance.now() - start);
    return failure;
  }

  async #isWellWithout({ test }: Failure): Promise<boolean> {
    return (await this.#run(test)) === null;
  }

  #told(found: Failure | null, asked: ReadonlySet<string> | null): MutantResult {
    const nrOfTests = asked?.size ?? this.#tests.length;
    if (found === null) return { status: "survived", nrOfTests };
    if (found.isEndless === true) return { status: "timeout", reason: found.message };
    return { status: "killed", killedBy: [found.test.id], failureMessage: found.message, nrOfTests };
  }
}

/** Read by Stryker, which has no other test runner that starts no process for each mutant. */
export const strykerPlugins = [{ kind: "TestRunner", name: "in-process", injectableClass: InProcessRunner }];
