import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { held, type ReportInput, reportSchema } from "../../contract/report.ts";
import { scenario } from "./case-files.ts";
import { claimOk } from "./claim-ok.ts";
import { columnsFromRows } from "./columns-from-rows.ts";
import { decideRound, type RoundOutcome } from "./decide-round.ts";
import { rounds } from "./round-arbitrary.ts";
import { roundFigures } from "./round-figures.ts";
import { contractRules } from "./rules.ts";
import { checksumOf, ENGINE, ReportWriter, writeReport } from "./write-report.ts";

const input: ReportInput = {
  contract_sha256: "0".repeat(64),
  policy_sha256: "1".repeat(64),
  stream_sha256: "2".repeat(64),
  requests: 17,
  skipped: { count: 0, lines: [] },
};

const textOf = (writer: ReportWriter): string => {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (const block of writer.blocks()) text += decoder.decode(block, { stream: true });
  return text;
};
const plain = (outcome: RoundOutcome) => JSON.parse(JSON.stringify(held(writeReport(outcome, input))));

test("the checksum in pieces is that of the whole canonical text (§4)", () => {
  fc.assert(
    fc.property(rounds, ({ contract, policy, rows }) => {
      const outcome = decideRound(contract, policy, columnsFromRows(rows));
      const figures = roundFigures(outcome);
      const whole = createHash("sha256")
        .update(canonicalize(held(figures))!)
        .digest("hex")
        .slice(0, 16);
      expect(checksumOf(outcome, figures)).toBe(whole);
    }),
    { numRuns: 500 },
  );
});

test("the checksum runs over batches without a seam (§4)", () => {
  const rows = Array.from({ length: 9000 }, (_, at) => ({
    req_id: `r"\\\u{1F600}${at}`,
    tenant: `t${at % 5000}`,
    arrival_ms: at,
    cost: "0.1",
    mode: "hard" as const,
  }));
  const { contract, policy } = scenario("2026-10-25-1000");
  const open = { ...policy, tenants: [{ ...policy.tenants[1]!, tenant: "*" }] };
  const outcome = decideRound(contract, open, columnsFromRows(rows));
  const figures = roundFigures(outcome);
  const whole = createHash("sha256")
    .update(canonicalize(held(figures))!)
    .digest("hex")
    .slice(0, 16);
  expect(checksumOf(outcome, figures)).toBe(whole);
  expect(JSON.parse(textOf(new ReportWriter(outcome, input)))).toEqual(plain(outcome));
});

test("the text of a report is its JSON, block by block, and its digests are those of the text", () => {
  fc.assert(
    fc.property(rounds, ({ contract, policy, rows }) => {
      const outcome = decideRound(contract, policy, columnsFromRows(rows));
      const writer = new ReportWriter(outcome, input);
      const text = textOf(writer);
      expect(JSON.parse(text)).toEqual(plain(outcome));
      expect(writer.digests()).toMatchObject({
        sha256: createHash("sha256").update(text).digest("hex"),
        bytes: Buffer.byteLength(text),
      });
    }),
    { numRuns: 300 },
  );
});

test("the report has the shape of §4, and names the engine by the package's version", () => {
  const { contract, policy, columns } = scenario("2026-10-25-1000");
  const writer = new ReportWriter(decideRound(contract, policy, columns), input);
  const report = JSON.parse(textOf(writer));
  expect(reportSchema.safeParse(report).success).toBe(true);
  const { name, version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(ENGINE).toEqual({ name, version });
  expect(report.ok).toBe(true);
});

describe("ok is a claim, not a constant (§4)", () => {
  const honest = {
    requests: 3,
    decisions: 3,
    accepted: 1,
    queued: 1,
    rejected: 1,
    lowest_balance: 0,
    usedMicro: 5n,
    acceptedCostMicro: 5n,
  };
  test("true of a result that adds up", () => expect(claimOk(honest)).toBe(true));
  test.each([
    { decisions: 2 },
    { accepted: 2 },
    { rejected: 0 },
    { lowest_balance: -0.000001 },
    { usedMicro: 4n },
  ])("false where %o", (broken) => expect(claimOk({ ...honest, ...broken })).toBe(false));

  test("a debit that is lost is not ok", () => {
    const { contract, policy, columns } = scenario("2026-10-25-1000");
    const outcome = decideRound(contract, policy, columns);
    outcome.buckets.numbers.used[0]! -= 1_000_000;
    expect(outcome.rules).toBe(contractRules);
    expect(writeReport(outcome, input).ok).toBe(false);
  });
});
