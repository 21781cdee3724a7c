import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Mapping, WRAPPINGS } from "../../../contract/mapping.ts";
import { readColumns } from "../canonical-stream.ts";
import { FORMATS } from "../formats/catalog.ts";
import { importLog, type Spool } from "./import-log.ts";
import { previewLog, readHead, recognise } from "./recognise.ts";
import { readMapping } from "./request-mapper.ts";

const SAMPLES = new URL("../formats/samples/", import.meta.url);
const samples = readdirSync(SAMPLES).map((name) => readFileSync(new URL(name, SAMPLES)));

function memorySpool(): Spool {
  let parts: Uint8Array[] = [];
  return {
    clear: async () => {
      parts = [];
    },
    append: async (text) => void parts.push(new TextEncoder().encode(text)),
    chunks: async function* () {
      yield* parts;
    },
  };
}

function pieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((start, at) => bytes.subarray(start, places[at] ?? bytes.length));
}

async function run(bytes: Uint8Array, mapping: Mapping, cuts: readonly number[] = []) {
  const open = async function* () {
    yield* pieces(bytes, cuts);
  };
  const { summary, stream } = await importLog(open, mapping, memorySpool());
  let text = "";
  for await (const part of stream) text += part;
  return { summary, text };
}

const mappingOf = (format: object, tenant = "remote_addr", unit = "clf"): Mapping => {
  const read = readMapping({
    version: 1,
    format,
    tenant: { by: "field", field: tenant },
    arrival: { field: "time_local", unit, zone: "Europe/Berlin" },
    cost: { by: "constant", cost: 1 },
    mode: { by: "constant", mode: "soft" },
    req_id: { by: "line" },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
};

/** A mapping of each format, whatever its fields. */
const mappings = FORMATS.flatMap(({ id }) => {
  const own = id === "nginx" ? { log_format: '$remote_addr [$time_local] "$request"' } : {};
  return WRAPPINGS.map((unwrap) => mappingOf({ id, unwrap, ...own }));
});

/** Text that looks like logs and is broken everywhere: pieces of samples, control bytes, quotes, line feeds. */
const garbage = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc.constantFrom(
        ...[
          '"',
          "\n",
          "\r\n",
          ",",
          "\t",
          "{",
          "}",
          "[",
          "]",
          "\\",
          "#Fields: a b\n",
          '{"log":"a","stream":"stdout","time":"2026-10-25T10:00:00Z"}\n',
          "2026-10-25T10:00:00Z stdout P ",
          "2026-10-25T10:00:00Z stderr F ",
        ].map((text) => Buffer.from(text)),
      ),
      fc
        .tuple(fc.constantFrom(...samples), fc.nat(), fc.nat({ max: 300 }))
        .map(([sample, start, length]) =>
          sample.subarray(start % sample.length, (start % sample.length) + length),
        ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => new Uint8Array(Buffer.concat(parts)))
  .filter(
    (bytes) =>
      !(
        bytes[0] === 0x1f ||
        bytes[0] === 0x28 ||
        bytes[0] === 0x50 ||
        bytes[0] === 0x42 ||
        bytes[0]! >= 0xfd
      ),
  );

const physicalLines = (bytes: Uint8Array): number => {
  const feeds = bytes.filter((byte) => byte === 10).length;
  return feeds + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0);
};

test("whatever the bytes: nothing throws, every line is counted once, and the stream has as many lines", async () => {
  await fc.assert(
    fc.asyncProperty(garbage, fc.constantFrom(...mappings), async (bytes, mapping) => {
      const { summary, text } = await run(bytes, mapping);
      const { lines, requests, problem_count, other_lines } = summary;
      expect(lines).toBe(physicalLines(bytes));
      expect(requests + problem_count + other_lines).toBe(lines);
      expect(text.split("\n").length - 1).toBe(lines);
      // The engine's own reader finds the same requests, and a bad line where there was a problem.
      const read = await readColumns(
        (async function* () {
          yield new TextEncoder().encode(text);
        })(),
      );
      expect(read.columns.count).toBe(requests);
      expect(read.problemCount).toBe(problem_count);
      const listed = read.problems.map(({ line }) => line);
      expect(listed).toEqual(summary.problems.map(({ line }) => line));
    }),
    { numRuns: 1500 },
  );
}, 120_000);

test("where chunks end makes no difference", async () => {
  await fc.assert(
    fc.asyncProperty(
      garbage,
      fc.constantFrom(...mappings),
      fc.array(fc.nat(), { maxLength: 12 }),
      async (bytes, mapping, cuts) => {
        expect(await run(bytes, mapping, cuts)).toEqual(await run(bytes, mapping));
      },
    ),
    { numRuns: 800 },
  );
}, 120_000);

test("recognising and previewing whatever bytes never throws", async () => {
  await fc.assert(
    fc.asyncProperty(garbage, fc.boolean(), async (bytes, isWhole) => {
      const head = await readHead(bytes, isWhole);
      const found = recognise(head);
      if (found?.ok !== true) return;
      const mapping = readMapping(found.recognition.proposal);
      if (mapping.ok) previewLog(head, mapping.value, 20);
    }),
    { numRuns: 1500 },
  );
}, 120_000);
