import { readdirSync, readFileSync } from "node:fs";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { gateCaseSchema } from "../../../contract/gate-case.ts";
import { readGateConfig } from "../../../contract/gate-config.ts";
import { replay, replayCase } from "./replay.ts";

function fault(text: string): string | null {
  try {
    RE2JS.compile(text);
    return null;
  } catch (error) {
    return String(error);
  }
}
const tools = {
  accept(config: unknown) {
    const read = readGateConfig(config, { expression: fault, network: () => null });
    return read.ok ? read.value : null;
  },
  matches: (expression: string, text: string) => RE2JS.compile(expression).test(text),
};

const folder = new URL("../../../contract/gate-cases/", import.meta.url);
test.each(readdirSync(folder))("the reference finds what %s says", (file) => {
  const one = gateCaseSchema.parse(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
  const found = JSON.parse(JSON.stringify(replayCase(one.config, one.steps, tools)));
  expect(found).toEqual({ expected: one.expected, ledger: one.ledger, evictions: one.evictions });
});

const CONFIG = {
  services: [{ name: "one", auth: "off", price: 0, rules: [{ id: "r", requests: 1, per: "1s", burst: 9 }] }],
  hold_ms: 10,
};
const request = { op: "request", ip: "192.0.2.1", path: "/", hold: true, as: "l" } as const;

test("a case whose configuration is refused is not played", () => {
  expect(() => replay({ services: [] }, tools)).toThrow("the configuration of the case is refused (G1)");
});

test("a label that is used again stands for the newest admission until that one is forgotten (G4)", () => {
  const { step } = replay(CONFIG, tools);
  step({ ...request, at: 0 });
  step({ op: "commit", at: 1, of: "l" });
  step({ ...request, at: 5 });
  // The first of the two is forgotten at 11.
  expect(step({ op: "cancel", at: 12, of: "l" })).toMatchObject({ ended: "cancelled" });
});
