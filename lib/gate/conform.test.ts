import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { gateCaseSchema } from "../../contract/gate-case.ts";
import { playCaseInMemory } from "./conform-memory.ts";

const folder = new URL("../../contract/gate-cases/", import.meta.url);
test.each(readdirSync(folder))("the memory store finds what %s says", (file) => {
  const one = gateCaseSchema.parse(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
  const found = JSON.parse(JSON.stringify(playCaseInMemory(one)));
  expect(found).toEqual({ expected: one.expected, ledger: one.ledger, evictions: one.evictions });
});
