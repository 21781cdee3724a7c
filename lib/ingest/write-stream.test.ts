import { expect, test } from "vitest";
import { readDocument } from "./document.ts";
import { writeStream } from "./write-stream.ts";

test("requests of a case file become lines with every oddity kept", () => {
  const lines = [
    '{"req_id":"a","cost":1e400,"arrival_ms":-0}',
    '{"__proto__":{"x":[1.0,null,true]},"constructor":"\\ud800"}',
    '"no object"',
    "5.00000000000000000001",
    "null",
    "[]",
    "{}",
  ];
  const document = readDocument(`[${lines.join(",\n")}]`, "case");
  if (!document.ok) throw new Error(document.problems[0]?.message);
  expect(writeStream(document.value.value as unknown[])).toBe(lines.map((line) => `${line}\n`).join(""));
});

test("no requests are an empty stream, and line breaks in names stay within their line", () => {
  expect(writeStream([])).toBe("");
  expect(writeStream([{ req_id: "a\nb\u2028" }])).toBe('{"req_id":"a\\nb\u2028"}\n');
});
