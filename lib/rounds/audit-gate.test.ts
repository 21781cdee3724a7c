import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { gateCaseSchema } from "../../contract/gate-case.ts";
import { closedText } from "../decision-log/log-text.ts";
import { auditGate, type LogSource } from "./audit-gate.ts";
import { playLogged } from "./gate-trial.ts";

const folder = new URL("../../contract/gate-cases/", import.meta.url);
const source = (text: string, name = "log"): LogSource => ({
  name,
  async *blocks() {
    yield Buffer.from(text);
  },
});
const audit = (text: string) => auditGate([source(text)], { first: 10, isOpen: false });

test.each(readdirSync(folder))("the log of an honest gate over %s is clean", async (file) => {
  const { config, steps } = gateCaseSchema.parse(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
  const found = await audit(closedText(playLogged(config, steps, null)));
  expect(found.first).toEqual([]);
  const requests = steps.filter(({ op }) => op === "request").length;
  expect(found).toMatchObject({ differences: 0, decisions: requests, status: requests > 0 ? 0 : 3 });
});
