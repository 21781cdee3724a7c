import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { conformGateCase, conformGateText } from "./conform-gate.ts";

const folder = new URL("../../../contract/gate-cases/", import.meta.url);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), "utf8"));

test.each(readdirSync(folder))("gate and reference agree with %s", async (file) => {
  expect((await conformGateCase(read(file))).equal).toBe(true);
});

test("one wrong value is enough to disagree", async () => {
  const one = read("one-rule.json");
  const equal = async (other: object) => (await conformGateCase(other)).equal;
  expect(await equal({ ...one, ledger: { ...one.ledger, committed: 2 } })).toBe(false);
  expect(await equal({ ...one, evictions: { full: 0, lossy: 1 } })).toBe(false);
  one.expected[3].retry_after_ms = 2;
  expect(await equal(one)).toBe(false);
});

test("what is no case, or cannot start, is an error and never a pass", async () => {
  await expect(conformGateCase({ name: "n", config: {}, steps: [] })).rejects.toThrow(/services/);
  const unknown = { name: "n", config: {}, steps: [{ op: "wait", at: 0 }] };
  await expect(conformGateCase(unknown)).rejects.toThrow(/steps\[0\]/);
});

test("counts of a case file are judged by their text, also in an update", async () => {
  const text = readFileSync(new URL("publish-same-changes-nothing.json", folder), "utf8");
  expect((await conformGateText(text, "a case")).equal).toBe(true);
  const finer = text.replace(/"requests":\s*5/, '"requests": 5.00000000000000001');
  await expect(conformGateText(finer, "a case")).rejects.toThrow(
    /a case: services\[0\]\.rules\[0\]\.requests/,
  );
  const last = text.lastIndexOf('"requests"');
  const later = text.slice(0, last) + text.slice(last).replace(/5/, "5.00000000000000001");
  expect((await conformGateText(later, "a case")).memory.expected[5]).toEqual({
    published: false,
    version: 1,
  });
});
