import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CaseProblem, conformCase } from "./conform-case.ts";

const folder = new URL("../../../contract/cases/", import.meta.url);
const files = readdirSync(folder);
const read = (file: string): string => readFileSync(new URL(file, folder), "utf8");

type Fields = Record<string, unknown>;
interface Expected {
  counts: { accepted: number };
  totals: { used: number };
  decisions: Fields[];
  checksum: string;
  dispatch_order: string[];
  per_tenant: Fields;
}
interface CaseDocument extends Fields {
  contract: Fields;
  policy: Fields & { tenants: Fields[] };
  requests: Fields[];
  expected: Expected;
}

/** A small case as text, changed by a function. */
function changed(change: (document: CaseDocument) => void, file = "one-accepted.json"): string {
  const document = JSON.parse(read(file));
  change(document);
  return JSON.stringify(document);
}

test("there are cases to conform to", () => {
  expect(files.length).toBeGreaterThan(40);
});

test.each(files)("engine, reference and the case agree: %s", async (file) => {
  const { equal, expected, engine, reference } = await conformCase(read(file), file);
  expect(engine).toEqual(reference);
  expect({ equal, expected }).toEqual({ equal: true, expected: true });
});

describe("a case is no rubber stamp", () => {
  test.each([
    ["a count", (expected: Expected) => (expected.counts.accepted += 1)],
    ["a total", (expected: Expected) => (expected.totals.used += 0.1)],
    ["a wait", (expected: Expected) => (expected.decisions[0]!.wait_ms = 1)],
    ["the checksum", (expected: Expected) => (expected.checksum = "0".repeat(16))],
    ["the order", (expected: Expected) => expected.dispatch_order.push("no-such-request")],
    ["a bucket", (expected: Expected) => (expected.per_tenant["no such tenant"] = {})],
  ])("%s that differs is told, while both sides still agree", async (_, change) => {
    const result = await conformCase(
      changed(({ expected }) => change(expected)),
      "a case",
    );
    expect(result).toMatchObject({ equal: true, expected: false });
  });

  test("a case without expected values says null, which is not true", async () => {
    const text = changed((document) => Reflect.deleteProperty(document, "expected"));
    expect(await conformCase(text, "a case")).toMatchObject({ equal: true, expected: null });
  });
});

test("numbers are judged by their text, not by the nearest double (§1.4)", async () => {
  const text = changed((document) => {
    document.policy.tenants[0]!.capacity = "PLACE";
    Reflect.deleteProperty(document, "expected");
  });
  const withCapacity = (number: string) => conformCase(text.replace('"PLACE"', number), "a case");
  await expect(withCapacity("1.00000000000000001")).rejects.toThrow(/a case: policy.*tenants\[0\]\.capacity/);
  expect((await withCapacity("1234567.0")).engine.totals.capacity).toBe(1_234_567);
});

describe("what is no case is a problem that names the place, never a pass", () => {
  test.each([
    ["no JSON", "{", /a case, line 1/],
    ["a key twice", read("one-accepted.json").replace('"name"', '"name": "x", "name"'), /a case/],
    ["no requests", changed((document) => Reflect.deleteProperty(document, "requests")), /a case: requests/],
    ["an unknown field", changed((document) => (document.color = 1)), /a case: .*color/],
    ["a wrong contract", changed(({ contract }) => (contract.epoch_ms = 0)), /a case: contract, epoch_ms/],
    ["a wrong policy", changed(({ policy }) => (policy.tenants = [])), /a case: policy, tenants/],
    ["a wrong request", changed(({ requests }) => (requests[0]!.cost = 0)), /a case: request 1: cost/],
    ["a null", "null", /a case/],
  ])("%s", async (_, text, message) => {
    await expect(conformCase(text, "a case")).rejects.toThrow(CaseProblem);
    await expect(conformCase(text, "a case")).rejects.toThrow(message);
  });
});
