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
import { JsonBytes } from "./json-bytes.ts";
import { canonical, canonicalBlocks } from "./report-text.ts";
import { rounds } from "./round-arbitrary.ts";
import { roundFigures } from "./round-figures.ts";
import { contractRules } from "./rules.ts";
import { checksumOf, ENGINE, okClaim, ReportWriter, writeReport } from "./write-report.ts";

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

test("a report is told in blocks of a megabyte without a seam, whoever is served (§4)", () => {
  // Every byte of a longest id is escaped. A quarter of the tenants is served by nobody: their decisions come last.
  const count = 3600;
  const rows = Array.from({ length: count }, (_, at) => ({
    req_id: `${1000 + at}${'"\\'.repeat(126)}`,
    tenant: `t${at % 100}`,
    arrival_ms: at,
    cost: "0.1",
    mode: "hard" as const,
  }));
  const { contract, policy } = scenario("2026-10-25-1000");
  const tenants = Array.from({ length: 75 }, (_, at) => ({ ...policy.tenants[1]!, tenant: `t${at}` }));
  const outcome = decideRound(contract, { ...policy, tenants, denylist: ["t80"] }, columnsFromRows(rows));
  const writer = new ReportWriter(outcome, input);
  const told: number[] = [];
  const blocks: Buffer[] = [];
  for (const block of writer.blocks((done) => told.push(done))) blocks.push(Buffer.from(block));
  const whole = canonicalize(held(roundFigures(outcome)))!;
  const { checksum, text_bytes } = writer.digests();
  const text = Buffer.concat(blocks);
  expect(`${text.subarray(0, text_bytes - 1)}}` === whole).toBe(true);
  expect(checksum).toBe(createHash("sha256").update(whole).digest("hex").slice(0, 16));
  expect(JSON.parse(`${text}`).checksum).toBe(checksum);
  expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThanOrEqual(2 ** 20);
  expect(blocks.filter(({ length }) => length > 2 ** 20 - 2 ** 13)).toHaveLength(3);
  expect(blocks.length).toBeLessThan(100);
  expect(told).toHaveLength(1);
  expect(told[0]! > count / 4 && told[0]! < (count * 3) / 4).toBe(true);
});

test("a number is told as ECMAScript prints it, whether it is a small whole one or not (§2)", () => {
  const number = fc.oneof(
    fc.constantFrom(0, 9, 10, 99, 100, 999_999_999, 1_000_000_000, 2 ** 53 - 1, 0.5, 550.1, -1, 1e21),
    fc.nat(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      const json = new JsonBytes();
      for (const value of numbers) {
        json.number(value);
        json.mark(0x2c);
      }
      const expected = numbers.map((value) => `${JSON.stringify(value)},`).join("");
      expect(new TextDecoder().decode(json.take())).toBe(expected);
    }),
  );
});

test("a round that serves nobody is told as text too (§3.6)", () => {
  const { contract, policy } = scenario("2026-10-25-1000");
  const rows = ["a", "b"].map((req_id) => ({
    req_id,
    tenant: "x",
    arrival_ms: 1,
    cost: "1",
    mode: "hard" as const,
  }));
  const outcome = decideRound(contract, policy, columnsFromRows(rows));
  const figures = roundFigures(outcome);
  expect(`${[...canonicalBlocks(outcome, figures)].map((block) => Buffer.from(block)).join("")}}`).toBe(
    canonicalize(held(figures)),
  );
});

test("what has no canonical text is an error", () => {
  expect(() => canonical(undefined)).toThrow("the value has no canonical JSON text");
});

test("what was accepted is summed exactly, beyond what a double holds", () => {
  const { contract, policy } = scenario("2026-10-25-1000");
  const rich = {
    ...policy.tenants[1]!,
    tenant: "rich",
    capacity: "1000000000000",
    opening_tokens: "1000000000000",
  };
  const rows = Array.from({ length: 11 }, (_, at) => ({
    ...{ req_id: `r${at}`, tenant: "rich", arrival_ms: at * 10, mode: "hard" as const },
    cost: at === 10 ? "0.000001" : "999999999.999999",
  }));
  const outcome = decideRound(contract, { ...policy, tenants: [rich] }, columnsFromRows(rows));
  const { accepted, acceptedCostMicro, usedMicro } = okClaim(outcome, roundFigures(outcome));
  expect([accepted, acceptedCostMicro]).toEqual([11, 9_999_999_999_999_991n]);
  expect(usedMicro).toBe(acceptedCostMicro);
});

test("the text of a report is its JSON, block by block, and its digests are those of the text", () => {
  fc.assert(
    fc.property(rounds, ({ contract, policy, rows }) => {
      const outcome = decideRound(contract, policy, columnsFromRows(rows));
      const writer = new ReportWriter(outcome, input);
      const text = textOf(writer);
      expect(JSON.parse(text)).toEqual(plain(outcome));
      expect(writer.digests()).toBe(writer.digests());
      const { checksum, text_bytes } = writer.digests();
      const figures = `${Buffer.from(text).subarray(0, text_bytes - 1)}}`;
      expect(figures).toBe(canonicalize(held(roundFigures(outcome))));
      expect(checksum).toBe(createHash("sha256").update(figures).digest("hex").slice(0, 16));
    }),
    { numRuns: 300 },
  );
});

/** Hashes what is in a "file", and only as far as it was told to. */
function hashedFile() {
  let file = Buffer.alloc(0);
  const hash = createHash("sha256");
  let hashed = 0;
  let isAbandoned = false;
  return {
    add: (block: Uint8Array) => {
      file = Buffer.concat([file, block]);
    },
    text: () => `${file}`,
    isAbandoned: () => isAbandoned,
    wrote: (bytes: number) => {
      expect(file).toHaveLength(bytes);
      hash.update(file.subarray(hashed, bytes));
      hashed = bytes;
    },
    sha256: (end: string) => Promise.resolve(hash.update(end).digest("hex")),
    abandon: () => {
      isAbandoned = true;
      return Promise.resolve();
    },
  };
}

describe("a text that is hashed where it is written", () => {
  test("is the same text, and known by the same digests", () =>
    fc.assert(
      fc.asyncProperty(rounds, async ({ contract, policy, rows }) => {
        const outcome = decideRound(contract, policy, columnsFromRows(rows));
        const here = new ReportWriter(outcome, input);
        const beside = new ReportWriter(outcome, input);
        const file = hashedFile();
        for await (const block of beside.blocksBeside(file)) file.add(block);
        expect(file.text()).toBe(textOf(here));
        expect(beside.digests()).toEqual(here.digests());
        expect(beside.report().checksum).toBe(here.report().checksum);
        expect(file.isAbandoned()).toBe(false);
      }),
      { numRuns: 100 },
    ));

  test("is abandoned, before anything else is done, where it is not written to its end", async () => {
    const { contract, policy, columns } = scenario("2026-10-25-1000");
    const writer = new ReportWriter(decideRound(contract, policy, columns), input);
    const file = hashedFile();
    const writing = async () => {
      for await (const _ of writer.blocksBeside(file)) throw new Error("no space left");
    };
    await expect(writing()).rejects.toThrow("no space left");
    expect(file.isAbandoned()).toBe(true);
  });

  test("has no end where its digest cannot be found", async () => {
    const { contract, policy, columns } = scenario("2026-10-25-1000");
    const writer = new ReportWriter(decideRound(contract, policy, columns), input);
    const file = { ...hashedFile(), wrote: () => {}, sha256: () => Promise.reject(new Error("it died")) };
    let text = "";
    const writing = async () => {
      for await (const block of writer.blocksBeside(file)) text += Buffer.from(block);
    };
    await expect(writing()).rejects.toThrow("it died");
    expect(text).not.toContain('"checksum"');
    expect(file.isAbandoned()).toBe(true);
  });
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
