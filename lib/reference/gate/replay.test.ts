import { readdirSync, readFileSync } from "node:fs";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { gateCaseSchema } from "../../../contract/gate-case.ts";
import { readGateConfig } from "../../../contract/gate-config.ts";
import { replayCase } from "./replay.ts";

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
