import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { looksLikeLog } from "./log-head.ts";

const REQUEST = '{"req_id":"a","tenant":"t","arrival_ms":0,"cost":1,"mode":"soft"}\n';

test.each([
  ["a canonical stream", REQUEST],
  ["one with a BOM and empty lines before", `\uFEFF\r\n \n${REQUEST}`],
  ["one whose first line is bad", '{"req_id":"a","cost":-1}\n'],
  ["one whose first line is cut", '{"req_id":"a"\n'],
  ["an empty object", "{}\n"],
  ["an empty file", ""],
  ["a line longer than what is looked at", `{"req_id":"${"a".repeat(100_000)}"}\n`],
])("%s is no log", async (_, text) => expect(await looksLikeLog(new Blob([text]))).toBe(false));

test.each([
  ["an access log", '192.0.2.1 - - [25/Oct/2026:10:00:03 +0000] "GET / HTTP/1.1" 200 1\n'],
  ["a log of JSON lines", '{"ts":1,"request":{"remote_ip":"192.0.2.1"}}\n'],
  ["a table", "time,user\n2026-10-25 10:00:00,a\n"],
  ["a packed stream", gzipSync(REQUEST)],
  ["another packed stream", zstdCompressSync(REQUEST)],
])("%s is one", async (_, content) => expect(await looksLikeLog(new Blob([content as BlobPart]))).toBe(true));
