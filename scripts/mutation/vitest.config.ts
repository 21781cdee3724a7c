import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const fewRuns = fileURLToPath(new URL("few-runs.ts", import.meta.url));

/** What is over soon goes first, the other way about than usual: most mutants are noticed by it, and the rest is not run. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse();
  }
}

/**
 * The unit tests of one room, as mutation testing runs them: thousands of times, so that property tests make fewer
 * runs, and from one seed, so that a mutant that survives once survives again.
 */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  plugins: [
    {
      name: "few-runs",
      enforce: "pre",
      resolveId: (source, importer) =>
        source === "fast-check" && importer !== undefined && !importer.includes("few-runs")
          ? fewRuns
          : undefined,
    },
  ],
  test: {
    include: (process.env.MUTATION_TESTS ?? "lib/**/*.test.ts").split(","),
    environment: "node",
    // One process for all files of a mutant, and a fresh one for the next: loading the modules costs more than most tests.
    isolate: false,
    setupFiles: ["scripts/mutation/stop-after-failure.ts"],
    sequence: { sequencer: QuickestFirst },
    // A bound on time means nothing over instrumented code beside other work, and megabytes take too long there.
    exclude: ["**/linear-time.test.ts"],
    testTimeout: 60_000,
  },
});
