import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { ReportInput } from "../../../contract/report.ts";
import { decideRound } from "../../engine/decide-round.ts";
import { contractRules, type Rules } from "../../engine/rules.ts";
import { writeReport } from "../../engine/write-report.ts";
import type { Expected } from "../../health/check.ts";
import { compareReport } from "../../health/compare-report.ts";
import { readColumns } from "../../ingest/canonical-stream.ts";
import { readDocument } from "../../ingest/document.ts";
import { jsonText, writeStream } from "../../ingest/write-stream.ts";
import { contentChecksum } from "../../recheck/content-checksum.ts";
import { projectRoot } from "../settings.ts";
import { nodeSha256 } from "../sha256.ts";
import { KINDS, type RandomFiles, roundFiles } from "../trials/round-files-arbitrary.ts";
import { chunksOf, type Inputs, inputsOf, referenceSide } from "../trials/two-sides.ts";
import { BROKEN_RULES } from "./broken-rules.ts";

/** A round of a case, with what the reference finds of it. */
interface Round extends Inputs {
  name: string;
  columns: Parameters<typeof decideRound>[2];
  expected: Expected;
}

const digest = "0".repeat(64);

async function roundOf(name: string, files: RandomFiles): Promise<Round> {
  const inputs = inputsOf(files);
  const { columns } = await readColumns(chunksOf(inputs));
  const { figures, checksum, requests } = await referenceSide(inputs);
  const input: ReportInput = {
    contract_sha256: digest,
    policy_sha256: digest,
    stream_sha256: digest,
    requests,
    skipped: { count: 0, lines: [] },
  };
  return { ...inputs, name, columns, expected: { figures, checksum, input, contentChecksum: null } };
}

/** Status of health (§5.4) over the report that an engine with these rules writes. */
function statusWith({ contract, policy, columns, expected }: Round, rules: Rules): number {
  const report = writeReport(decideRound(contract, policy, columns, rules), expected.input);
  return compareReport(report, { ...expected, contentChecksum: contentChecksum(report, nodeSha256) }).status;
}

const folder = join(projectRoot(), "contract");

const filesOf = (contract: string, policy: string, stream: string): RandomFiles => ({
  contract,
  policy,
  stream,
  chunk_bytes: 65_536,
  requests: 0,
  bad_lines: 0,
});

/** Every case of the contract, and every scenario. */
function givenFiles(): [string, RandomFiles][] {
  const cases = readdirSync(join(folder, "cases")).map((file): [string, RandomFiles] => {
    const document = readDocument(readFileSync(join(folder, "cases", file), "utf8"), file);
    if (!document.ok) throw new Error(`${file} is no case`);
    const { contract, policy, requests } = document.value.value as Record<string, unknown>;
    return [file, filesOf(jsonText(contract), jsonText(policy), writeStream(requests as unknown[]))];
  });
  const scenarios = readdirSync(join(folder, "scenario")).map((name): [string, RandomFiles] => {
    const text = (file: string) => readFileSync(join(folder, "scenario", name, file), "utf8");
    return [name, filesOf(text("contract.json"), text("policy.json"), text("requests.jsonl"))];
  });
  return [...cases, ...scenarios];
}

/** Random rounds, the same ones every time. */
const randomFiles = (): [string, RandomFiles][] =>
  KINDS.flatMap((kind) => fc.sample(roundFiles(kind), { seed: 20_261_025, numRuns: 150 }))
    .filter(({ bad_lines }) => bad_lines === 0)
    .map((files, index) => [`random ${index}`, files]);

const rounds = (files: [string, RandomFiles][]) =>
  Promise.all(files.map(([name, file]) => roundOf(name, file)));

/** Each rule with each way of breaking it, one at a time. */
const broken = Object.entries(BROKEN_RULES).flatMap(([rule, ways]) =>
  Object.entries(ways).map(([what, way]) => ({
    rule,
    what,
    rules: { ...contractRules, [rule]: way } as Rules,
  })),
);
const ruleNames = Object.keys(contractRules);

let given: Round[];
let random: Round[];
beforeAll(async () => {
  given = await rounds(givenFiles());
  random = await rounds(randomFiles());
}, 120_000);

const redOn = (among: Round[], rules: Rules) => among.find((round) => statusWith(round, rules) === 2)?.name;

test("health is green on every round of the honest engine", () => {
  expect(given.length).toBeGreaterThanOrEqual(42);
  expect(random.length).toBeGreaterThanOrEqual(300);
  for (const round of [...given, ...random])
    expect([round.name, statusWith(round, contractRules)]).toEqual([round.name, 0]);
});

describe("breaking one rule turns health red (§5)", () => {
  test("every rule of the engine is broken in some way", () => {
    expect([...new Set(broken.map(({ rule }) => rule))].sort()).toEqual([...ruleNames].sort());
  });

  test.each(ruleNames)("%s, on a case or a scenario of the contract", (rule) => {
    const ways = broken.filter((way) => way.rule === rule);
    expect(ways.map(({ rules }) => redOn(given, rules)).find((name) => name !== undefined)).toBeDefined();
  });

  // What the property test of engine against reference is worth: none of these would pass it.
  test.each(broken)("$rule: $what, on a random round", ({ rules }) => {
    expect(redOn(random, rules)).toBeDefined();
  });

  test("claimOk: always ok, on a result that lost a decision", () => {
    const judge = ({ contract, policy, columns, expected }: Round, rules: Rules) => {
      const outcome = decideRound(contract, policy, columns, rules);
      const report = writeReport({ ...outcome, order: outcome.order.subarray(1) }, expected.input);
      const { issues } = compareReport(report, {
        ...expected,
        contentChecksum: contentChecksum(report, nodeSha256),
      });
      return { claim: report.ok, isFound: issues.some(({ check }) => check === "ok") };
    };
    const round = given.find(({ name }) => name === "2026-10-25-1000")!;
    expect(judge(round, contractRules)).toEqual({ claim: false, isFound: false });
    expect(judge(round, { ...contractRules, claimOk: () => true })).toEqual({ claim: true, isFound: true });
  });
});

// No report is written then, and health without a report is 2 (§5.4).
test.each(ruleNames)("without the rule %s nothing is decided", (rule) => {
  const rules = { ...contractRules, [rule]: undefined } as unknown as Rules;
  const fails = (round: Round) => {
    try {
      return statusWith(round, rules) !== 0;
    } catch (error) {
      return error instanceof TypeError;
    }
  };
  expect(given.some(fails)).toBe(true);
});
