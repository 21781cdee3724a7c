import { expect, test } from "vitest";
import { LONGEST_LINE_BYTES } from "./line-blocks.ts";
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
