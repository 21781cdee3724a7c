import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compareReport } from "./compare-report.ts";

const SCENARIO = new URL("../../contract/scenario/2026-10-25-1000/expected.json", import.meta.url);
const { checksum, ...figures } = JSON.parse(readFileSync(SCENARIO, "utf8")).clean;
const digests = { contract_sha256: "", policy_sha256: "", stream_sha256: "" };
const input = { ...digests, requests: 100_000, skipped: { count: 0, lines: [] } };

test("a hundred thousand decisions take time by their number only", () => {
  const count = 100_000;
  const decisions = Array.from({ length: count }, (_, at) => ({
    ...figures.decisions[0],
    req_id: `r-${at}`,
  }));
  const large = { ...figures, decisions, dispatch_order: decisions.map(({ req_id }) => req_id) };
  // Rows of their own: those that are the very expected ones are not looked at.
  const rows = decisions.map((row) => ({ ...row }));
  const reported = {
    version: 1,
    ...large,
    decisions: rows,
    dispatch_order: large.dispatch_order.slice(),
    input,
  };
  const start = performance.now();
  const { checks } = compareReport(reported, { figures: large, checksum, input, contentChecksum: checksum });
  expect(checks).toBeGreaterThan(8 * count);
  expect(performance.now() - start).toBeLessThan(5_000);
});
