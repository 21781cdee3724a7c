import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clauseHref } from "../../components/clause/clauses.ts";
import { CHECK_TABLE } from "../../lib/health/check-table.ts";

const contracts = ["throttle", "gate"]
  .map((name) => readFileSync(new URL(`../../contract/${name}-contract.md`, import.meta.url), "utf8"))
  .join("\n");
const anchors = new Set([...contracts.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id));

test("every clause of the contracts has its anchor, and every check of health leads to one", () => {
  const headings = [...contracts.matchAll(/^##+ (§[\d.]+|G\d+) /gm)].map(([, clause]) => clause!);
  expect(headings.length).toBe(35);
  for (const clause of headings) expect(anchors, clause).toContain(clauseHref(clause).slice(10));
  for (const { clause } of CHECK_TABLE) expect(anchors, clause).toContain(clauseHref(clause).slice(10));
});
