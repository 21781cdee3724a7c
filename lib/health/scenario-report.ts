import { readFileSync } from "node:fs";
import type { Held, Report, RoundFigures } from "../../contract/report.ts";
import type { Expected } from "./check.ts";

// The scenario's expected figures (§7) as a report and as what is expected of one: for tests alone.

const SCENARIO = new URL("../../contract/scenario/2026-10-25-1000/expected.json", import.meta.url);
type Figures = Held<RoundFigures> & { checksum: string };

/** What the scenario comes to, clean and in its problem state. */
const { clean, problem_state } = JSON.parse(readFileSync(SCENARIO, "utf8")) as {
  clean: Figures;
  problem_state: Figures & { faults: string[] };
};
const { checksum, ...figures } = clean;

export { checksum, figures, problem_state };

/** A report's input: digests that are none, and nothing skipped. */
export const input = {
  contract_sha256: "a".repeat(64),
  policy_sha256: "b".repeat(64),
  stream_sha256: "c".repeat(64),
  requests: 17,
  skipped: { count: 0, lines: [] as { line: number; field: string; reason: string }[] },
};
export const expected: Expected = { figures, checksum, input, contentChecksum: checksum };

// biome-ignore lint/suspicious/noExplicitAny: tests put whatever they like into a report.
export type Loose = any;

/** A fresh report that says what is expected. */
export const report = (): Loose =>
  JSON.parse(
    JSON.stringify({
      version: 1,
      engine: { name: "e", version: "1" },
      ok: true,
      ...figures,
      input,
      checksum,
    } satisfies Report),
  );
