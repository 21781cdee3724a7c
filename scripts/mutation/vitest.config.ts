import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const fewRuns = fileURLToPath(new URL("few-runs.ts", import.meta.url));

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
    // A bound on time means nothing over instrumented code beside other work.
    testNamePattern: /^(?!.*linear time)/,
    testTimeout: 60_000,
  },
});
