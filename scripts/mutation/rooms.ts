/** A room whose sources are mutated, with the tests that must notice: its own, and those that compare it with the other side. */
export interface MutationRoom {
  name: string;
  mutate: string[];
  tests: string[];
  /** Survivors that are justified, one by one. */
  justified: string;
}

const noTests = ["!lib/**/*.test.ts", "!lib/**/*.bench.ts"];

export const ROOMS: readonly MutationRoom[] = [
  {
    name: "health",
    // What only tests use is no part of what judges.
    mutate: ["lib/health/**/*.ts", ...noTests, "!lib/health/scenario-report.ts"],
    tests: ["lib/health/**/*.test.ts"],
    justified: "lib/health/surviving-mutants.json",
  },
  {
    name: "engine",
    // What only tests and benchmarks use is no part of what decides.
    mutate: [
      "lib/engine/**/*.ts",
      ...noTests,
      "!lib/engine/case-files.ts",
      "!lib/engine/columns-from-rows.ts",
      "!lib/engine/round-arbitrary.ts",
    ],
    tests: ["lib/engine/**/*.test.ts"],
    justified: "lib/engine/surviving-mutants.json",
  },
  {
    name: "reference",
    mutate: ["lib/reference/*.ts", ...noTests],
    tests: ["lib/reference/*.test.ts"],
    justified: "lib/reference/surviving-mutants.json",
  },
  {
    name: "reference-gate",
    mutate: ["lib/reference/gate/**/*.ts", ...noTests],
    // Its own, the gate beside it, and audits of logs: what a recomputation must find.
    tests: [
      "lib/reference/gate/**/*.test.ts",
      "lib/gate/client.test.ts",
      "lib/gate/interleaving.test.ts",
      "lib/gate/path.test.ts",
      "lib/rounds/gates/audit-gate.test.ts",
    ],
    justified: "lib/reference/gate/surviving-mutants.json",
  },
  {
    name: "gate",
    // The decision; how cases are played on it is not part of it.
    mutate: ["lib/gate/*.ts", ...noTests, "!lib/gate/conform*.ts", "!lib/gate/interleavings.ts"],
    tests: ["lib/gate/*.test.ts"],
    justified: "lib/gate/surviving-mutants.json",
  },
  {
    name: "gate-shared",
    // What only tests use is no part of the store; whole scripts are emptied, their lines are not changed.
    mutate: [
      "lib/gate/shared/*.ts",
      ...noTests,
      "!lib/gate/shared/conform-shared.ts",
      "!lib/gate/shared/cut-wire.ts",
      "!lib/gate/shared/redis-server.ts",
    ],
    tests: ["lib/gate/shared/*.test.ts"],
    justified: "lib/gate/shared/surviving-mutants.json",
  },
];
