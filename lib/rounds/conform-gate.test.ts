import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { conformGateCase, conformGateText } from "./conform-gate.ts";

const folder = new URL("../../contract/gate-cases/", import.meta.url);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), "utf8"));

test.each(readdirSync(folder))("gate and reference agree with %s", (file) => {
  expect(conformGateCase(read(file)).equal).toBe(true);
});

test("one wrong value is enough to disagree", () => {
  const one = read("one-rule.json");
  expect(conformGateCase({ ...one, ledger: { ...one.ledger, committed: 2 } }).equal).toBe(false);
  expect(conformGateCase({ ...one, evictions: { full: 0, lossy: 1 } }).equal).toBe(false);
  one.expected[3].retry_after_ms = 2;
  expect(conformGateCase(one).equal).toBe(false);
});

test("what is no case, or cannot start, is an error and never a pass", () => {
  expect(() => conformGateCase({ name: "n", config: {}, steps: [] })).toThrow(/services/);
  expect(() => conformGateCase({ name: "n", config: {}, steps: [{ op: "wait", at: 0 }] })).toThrow(
    /steps\[0\]/,
  );
});

test("counts of a case file are judged by their text, also in an update", () => {
  const text = readFileSync(new URL("publish-same-changes-nothing.json", folder), "utf8");
  expect(conformGateText(text, "a case").equal).toBe(true);
  const finer = text.replace(/"requests":\s*5/, '"requests": 5.00000000000000001');
  expect(() => conformGateText(finer, "a case")).toThrow(/a case: services\[0\]\.rules\[0\]\.requests/);
  const last = text.lastIndexOf('"requests"');
  const later = text.slice(0, last) + text.slice(last).replace(/5/, "5.00000000000000001");
  expect(conformGateText(later, "a case").memory.expected[5]).toEqual({ published: false, version: 1 });
});
