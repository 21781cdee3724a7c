import { expect, test } from "vitest";
import { LONGEST_LINE_BYTES } from "./line-blocks.ts";
import { recompute } from "./recompute.ts";
import { repeatedIds } from "./repeated-ids.ts";
import { RowTable } from "./row-table.ts";
import { readRows } from "./stream.ts";

// What takes seconds, or a bound on time, and so is no test to run for each mutant.

const LINE = '{"req_id":"r","tenant":"t","arrival_ms":1,"cost":2,"mode":"soft"}';
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
async function* chunks(bytes: Uint8Array, size = 4096) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

test.each([
  ["a string", '{"req_id":"', "x"],
  ["escapes", '{"req_id":"', "\\n"],
  ["digits", '{"cost":', "1"],
  ["spaces", "", " "],
  ["keys", "{", '"cost":1,'],
])("a line of 20 MB of %s is read in linear time", async (_, head, piece) => {
  const bytes = bytesOf(`${head}${piece.repeat(20_000_000 / piece.length)}\n${LINE}`);
  const start = performance.now();
  const { rows } = await readRows(chunks(bytes), () => {});
  expect(rows.count).toBe(1);
  expect(performance.now() - start).toBeLessThan(15_000);
});

test("a line that is too long is one bad line, wherever the chunks end", async () => {
  const line = '{"req_id":"r","tenant":"t","arrival_ms":1,"cost":1,"mode":"soft"}';
  const padded = `${line}${" ".repeat(LONGEST_LINE_BYTES - line.length)}`;
  const text = bytesOf(`${padded}\n${padded} \nx`);
  for (const size of [1 << 16, text.length]) {
    const { rows, skipped } = await readRows(chunks(text, size), () => {});
    expect([rows.count, skipped.lines.map((problem) => problem.line)]).toEqual([1, [2, 3]]);
  }
});

test("how far the deciding is is told now and then, by groups", async () => {
  const count = 65_537;
  const lines = Array.from({ length: count }, (_, at) => LINE.replace('"r"', `"r${at}"`)).join("\n");
  const tenant = { tenant: "t", tier: "only", capacity: "1", rate_per_sec: "1", ceiling_units: "1" };
  const told: number[] = [];
  await recompute({
    contract: {
      ...{ version: 1, total_ceiling_per_sec: "1", epoch_ms: 1000, grace_ms: 0, group_by: "request" },
      ...{ refill: "continuous", tiers: [{ name: "only", guaranteed: false }] },
    },
    policy: { tenants: [tenant], denylist: [] },
    stream: chunks(bytesOf(lines), 1 << 16),
    reading: "strict",
    sha256: () => ({ update: () => {}, hex: () => "" }),
    onProgress: (requests) => told.push(requests),
  });
  expect(told.slice(-3)).toEqual([0, count - 1, count]);
});

test("ids of one fingerprint are told apart: of 300 000 some have one", () => {
  const table = new RowTable();
  const bytes = bytesOf("000000t");
  const names = { bytes, id_start: 0, id_end: 6, tenant_start: 6, tenant_end: 7 };
  for (let at = 0; at < 300_000; at++) {
    bytes.set(bytesOf(String(at).padStart(6, "0")));
    table.add({ ...names, arrival_ms: 0, cost_micro: 1, soft: true }, at + 1);
  }
  expect(repeatedIds(table)).toEqual([]);
});
