import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readContract, readPolicy } from "../../contract/input.ts";
import { contractRules } from "../engine/rules.ts";
import { FAULTS } from "./catalog.ts";
import { DEFAULT_CONTRACT, DEFAULT_POLICY } from "./default-documents.ts";
import { injectFaults } from "./inject-faults.ts";
import { honestSignals } from "./signal-rules.ts";

/** Keys whose values are not the same. */
const changed = <T extends object>(before: T, after: T): string[] =>
  Object.keys({ ...before, ...after }).filter((key) => before[key as keyof T] !== after[key as keyof T]);

test("the catalog is the table of §6: same ids, same clauses, same order", () => {
  const text = readFileSync(new URL("../../contract/throttle-contract.md", import.meta.url), "utf8");
  const table = text.slice(text.indexOf("## §6"), text.indexOf("## §7"));
  const rows = [...table.matchAll(/^\| `([a-z-]+)` +\| (§[\d.]+) +\|/gm)].map(([, id, clause]) => ({
    id,
    clause,
  }));
  expect(rows).toHaveLength(18);
  expect(FAULTS.map(({ id, clause }) => ({ id, clause }))).toEqual(rows);
});

test.each(FAULTS)("$id replaces exactly one rule", (fault) => {
  const { rules, signals } = injectFaults([fault.id]);
  expect(changed(contractRules, rules)).toEqual(fault.kind === "rule" ? [fault.replaces] : []);
  expect(changed(honestSignals, signals)).toEqual(fault.kind === "signal" ? [fault.replaces] : []);
});

test.each(FAULTS)("$id says in a few words and one sentence what goes wrong", ({ title, summary }) => {
  expect(title.length).toBeLessThan(40);
  expect(summary).toMatch(/^[A-Z].*\.$/);
});

test("no fault: the rules of the contract themselves", () => {
  expect(injectFaults([])).toEqual({ rules: contractRules, signals: honestSignals });
  expect(injectFaults([]).rules).toBe(contractRules);
});

test("an unknown fault is an error that lists the known ones", () => {
  expect(() => injectFaults(["input-order", "__proto__"])).toThrow(
    /unknown fault "__proto__"; known: request-at-a-time, .*fail-open/,
  );
});

describe("signals (§5)", () => {
  const table = ["a", "b"];
  test("honest ones hand on what was found", () => {
    expect(honestSignals.exitStatus(2)).toBe(2);
    expect(honestSignals.checks(table)).toEqual({ table, emptyPasses: false });
    expect(honestSignals.expectedFrom).toBe("reference");
    expect(honestSignals.unavailable).toBe("fail");
  });
  test("each fault falsifies its own", () => {
    expect(injectFaults(["exit-zero"]).signals.exitStatus(3)).toBe(0);
    expect(injectFaults(["empty-checks"]).signals.checks(table)).toEqual({ table: [], emptyPasses: true });
    expect(injectFaults(["self-reference"]).signals.expectedFrom).toBe("report");
    expect(injectFaults(["fail-open"]).signals.unavailable).toBe("defaults");
  });
});

test("what fail-open falls back to is a contract and a policy", () => {
  const contract = readContract(DEFAULT_CONTRACT);
  if (!contract.ok) throw new Error(JSON.stringify(contract.problems));
  expect(readPolicy(DEFAULT_POLICY, contract.value).ok).toBe(true);
});
