import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AuditResult } from "../../../contract/decision-log.ts";
import { gateCaseSchema } from "../../../contract/gate-case.ts";
import { closedText } from "../../decision-log/log-text.ts";
import { gateCase } from "../../gate/interleavings.ts";
import { auditGate } from "./audit-gate.ts";
import { playInFiles, playLogged } from "./gate-trial.ts";

const RUNS = 1000;
const FILE_RUNS = 300;
const FOLDER = new URL("../../../contract/gate-cases/", import.meta.url);

function auditFiles(files: readonly (readonly object[])[]): Promise<AuditResult> {
  const sources = files.map((lines) => ({
    name: "log",
    async *blocks() {
      yield Buffer.from(closedText(lines));
    },
  }));
  return auditGate(sources, { first: 3, isOpen: false });
}

const audit = (lines: readonly object[]): Promise<AuditResult> => auditFiles([lines]);

test("the log of an honest gate is clean, whatever happened to it", { timeout: 120_000 }, async () => {
  const seed = Number(process.env.GATE_SEED ?? Date.now() % 1_000_000_007);
  console.info(`logs of interleavings: seed ${seed}, ${RUNS} runs`);
  const property = fc.asyncProperty(gateCase, async ({ config, steps }) => {
    const found = await audit(playLogged(config, steps, null));
    const requests = steps.filter(({ op }) => op === "request").length;
    expect(found).toMatchObject({ first: [], differences: 0, decisions: requests });
    expect(found.status).toBe(requests > 0 ? 0 : 3);
  });
  await fc.assert(property, { numRuns: RUNS, seed });
});

test("the files of an honest gate's log agree with each other, and each can be begun with", {
  timeout: 120_000,
}, async () => {
  const seed = Number(process.env.GATE_SEED ?? Date.now() % 1_000_000_007);
  console.info(`logs in files: seed ${seed}, ${FILE_RUNS} runs`);
  const property = fc.asyncProperty(
    gateCase,
    fc.integer({ min: 2, max: 8 }),
    fc.nat(),
    async ({ config, steps }, turn, where) => {
      const files = playInFiles(config, steps, null, turn);
      const states = files.length - 1;
      const gaps = nothingDecided(files);
      expect(await auditFiles(files)).toMatchObject({ first: [], gaps, states, claims: [] });
      if (states === 0) return;
      const from = 1 + (where % states);
      const found = await auditFiles(files.slice(from));
      expect(found).toMatchObject({ first: [], claims: [{ file: "log" }], states: states - from });
      expect(found.gaps).toEqual(nothingDecided(files.slice(from)));
    },
  );
  await fc.assert(property, { numRuns: FILE_RUNS, seed });
});

/** What an audit says of files that hold no decision. */
const nothingDecided = (files: readonly (readonly { line: string }[])[]) =>
  files.flat().some(({ line }) => line === "decision")
    ? []
    : [{ file: "the end", line: null, message: "no decision was recomputed" }];

type Line = Record<string, unknown>;

/** Other values of the same kind, as somebody would write who wants to hide something. */
function others(value: unknown): unknown[] {
  if (typeof value === "number") return [value + 1, ...(value > 0 ? [value - 1, 0] : [])];
  if (value === null) return ["x", 0];
  if (Array.isArray(value)) return [[...value, ...(value.length > 0 ? [value[0]] : ["x"])], value.slice(1)];
  if (typeof value === "object")
    return Object.entries(value).flatMap(([field, part]) =>
      others(part).map((other) => ({ ...value, [field]: other })),
    );
  if (typeof value !== "string") return [];
  const sisters = SISTERS.find((list) => list.includes(value)) ?? [];
  if (sisters.length > 0) return sisters.filter((other) => other !== value);
  return [value.replace(/.$/, (last) => (last === "0" ? "1" : "0")), `${value}x`];
}

const SISTERS = [
  ["allowed", "denied", "challenged", "error", "unmatched"],
  ["rate", "capacity", "client", "unavailable"],
  ["committed", "cancelled", "held", "none", "expired", "already", "unknown"],
  ["counted", "exhausted", "unspent", "unread", "uncounted", "taken"],
  ["valid", "none"],
  ["invalid", "outdated", "failed"],
];

/** What the gate knows from elsewhere and the audit must take from the log: another value tells another story, not a lie. */
const FACTS: Record<string, string[]> = {
  header: ["log", "at"],
  publish: ["at", "config"],
  decision: ["at", "host", "path", "client", "credential", "hold", "settled"],
  end: ["at", "hold", "asked"],
  tally: ["at", "seq"],
  refused: ["at", "seq", "why", "from", "sha256", "problems", "problems_count"],
};

/** Every line changed in one field; with the field and a text that tells which. */
function* tampered(
  lines: readonly Line[],
): Generator<{ lines: Line[]; kind: string; field: string; told: string }> {
  for (const [index, line] of lines.entries())
    for (const [field, value] of Object.entries(line)) {
      if (field === "line") continue;
      for (const other of [...others(value), undefined]) {
        if (JSON.stringify(other) === JSON.stringify(value)) continue;
        const changed = { ...line, [field]: other };
        const told = `${JSON.stringify(line)}: ${field} = ${JSON.stringify(other)}`;
        yield { lines: lines.with(index, changed), kind: String(line.line), field, told };
      }
    }
}

const cases = readdirSync(FOLDER).map((file) =>
  gateCaseSchema.parse(JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"))),
);

test("a line that was changed in any field is found, unless the field is a fact that only the gate knew", {
  timeout: 120_000,
}, async () => {
  const missed: string[] = [];
  const facts = new Set<string>();
  let tried = 0;
  for (const { config, steps } of cases) {
    const honest = playLogged(config, steps, null) as unknown as Line[];
    if ((await audit(honest)).status === 3) continue;
    for (const { lines, kind, field, told } of tampered(honest)) {
      tried += 1;
      if ((await audit(lines)).status !== 0) continue;
      if (FACTS[kind]!.includes(field)) facts.add(`${kind}.${field}`);
      else missed.push(told);
    }
  }
  expect(missed.slice(0, 10)).toEqual([]);
  expect(tried).toBeGreaterThan(10_000);
  // None of the listed facts is listed for nothing.
  const listed = Object.entries(FACTS).flatMap(([kind, fields]) => fields.map((field) => `${kind}.${field}`));
  expect([...facts].sort()).toEqual(listed.sort());
});

test("a line that is missing, there twice, or in another's place is never clean", async () => {
  for (const { config, steps } of cases) {
    const honest = playLogged(config, steps, null) as unknown as Line[];
    for (const [index, line] of honest.entries()) {
      // Without a tally less is checked, and what was refused did nothing: the closing line tells how many lines there were.
      if (line.line === "tally" || line.line === "refused") continue;
      expect((await audit(honest.toSpliced(index, 1))).status).not.toBe(0);
      expect((await audit(honest.toSpliced(index, 0, line))).status).not.toBe(0);
    }
  }
});
