import fc from "fast-check";
import { expect, test } from "vitest";
import { assistantHere } from "./assistant-here.ts";
import { joinParts } from "./join-parts.ts";
import { memoryOfTable, type TableColumns } from "./row-table.ts";
import { type BlockReader, readRows, type StreamRows } from "./stream.ts";
import type { StreamPart } from "./stream-part.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const row = (req_id: string, tenant = "t", more: Record<string, unknown> = {}): string =>
  JSON.stringify({ req_id, tenant, arrival_ms: 1, cost: 2, mode: "soft", ...more });

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** All that a table holds, without the room behind its last row. */
function listed({ rows, skipped }: StreamRows) {
  const { count, names, ids, ...columns } = rows.columns();
  const cut = Object.entries(columns).map(([key, column]) => [key, [...column.subarray(0, count)]]);
  return {
    ...{ count, names, skipped, ...Object.fromEntries(cut) },
    ids: Array.from({ length: count }, (_, at) => rows.idText(at)),
    id_bytes: [...ids.subarray(0, count === 0 ? 0 : rows.idEnd(count - 1))],
  };
}

const readBy = async (bytes: Uint8Array, size: number, reader?: BlockReader) =>
  listed(await readRows(chunks(bytes, size), () => {}, reader));

/** Lines that are read quickly, slowly, not at all, or twice. */
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(30), fc.nat(4)).map(([id, tenant]) => row(`r${id}`, `t${tenant}`)),
  },
  { weight: 3, arbitrary: fc.nat(30).map((id) => row(`é${id}`, "tenant 😀", { cost: 0.5, mode: "hard" })) },
  fc.constantFrom("", " \t\r", "x", "\uFEFF", `\uFEFF${row("bom")}`, `${row("cr")}\r`, row("r1", "*"), "{}"),
  fc.constantFrom(row("x".repeat(256)), row("__proto__", "__proto__"), row("r2", "t", { cost: 0 })),
);
const stream = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.boolean(), fc.boolean())
  .map(([lines, isCut, hasRubbish]) => {
    const text = bytesOf(lines.join("\n") + (isCut ? "" : "\n"));
    return hasRubbish ? Uint8Array.from([...text, 0xff, 0x0a, ...text]) : text;
  });

test("two readers find what one finds, whoever reads which block and however short the blocks are", async () => {
  await fc.assert(
    fc.asyncProperty(
      stream,
      fc.integer({ min: 1, max: 400 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (bytes, size, takes, isLate) => {
        const reader = assistantHere((block) => takes[block % takes.length]!, isLate);
        expect(await readBy(bytes, size, reader)).toEqual(await readBy(bytes, size));
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ["the other reader alone", () => true],
  ["every other block", (block: number) => block % 2 === 1],
  ["nothing", () => false],
])("the other reader may take %s", async (_, takes) => {
  const lines = Array.from({ length: 300 }, (_, at) =>
    at % 3 === 0 ? "rubbish" : row(`r${at % 200}`, `t${at % 7}`, { arrival_ms: at, cost: at + 1 }),
  );
  const bytes = bytesOf(`\uFEFF${lines.join("\n")}`);
  const reader = assistantHere(takes);
  const found = await readBy(bytes, 1000, reader);
  expect(found).toEqual(await readBy(bytes, 1000));
  expect(reader.taken.length > 5).toBe(takes(1));
  expect(found.skipped.count).toBe(100 + 33);
  expect(found.skipped.lines).toHaveLength(100);
});

test("tenants are numbered as they come in the stream, not as they were read (§1.4)", async () => {
  const text = ["b", "a", "c", "a", "d", "b"].map((tenant, at) => row(`r${at}`, tenant)).join("\n");
  const reader = assistantHere((block) => block === 0);
  const found = await readBy(bytesOf(text), 150, reader);
  expect(reader.taken).toEqual([0]);
  expect(found.names).toEqual(["b", "a", "c", "d"]);
});

test("the first hundred bad lines are told, whoever met them, and all are counted (§1.3)", async () => {
  const bytes = bytesOf("bad\n".repeat(1000));
  const reader = assistantHere((block) => block % 3 === 0);
  const { skipped } = await readBy(bytes, 100, reader);
  expect(skipped.count).toBe(1000);
  expect(skipped.lines.map((problem: { line: number }) => problem.line)).toEqual(
    Array.from({ length: 100 }, (_, at) => at + 1),
  );
});

test("a line that is too long is nobody's to read, and counts (§1.3)", async () => {
  const bytes = bytesOf(`${row("a")}\n${"x".repeat(2 ** 24 + 1)}\n${row("b")}\nbad`);
  const found = await readBy(
    bytes,
    2 ** 20,
    assistantHere(() => true),
  );
  expect(found).toEqual(await readBy(bytes, 2 ** 20));
  expect(found.skipped.lines.map((problem: { line: number }) => problem.line)).toEqual([2, 4]);
});

test("how far the reading is is told by what both have read", async () => {
  const told: number[] = [];
  const block = bytesOf(`${Array.from({ length: 2 ** 15 }, (_, at) => row(`r${at}`)).join("\n")}\n`);
  async function* blocks() {
    yield block;
    yield block;
  }
  await readRows(
    blocks(),
    (rows) => told.push(rows),
    assistantHere((number) => number === 1),
  );
  expect(told).toEqual([2 ** 16]);
});

test("a reader that fails ends the reading with its error", async () => {
  const broken = { ...assistantHere(() => true), part: () => Promise.reject(new Error("gone")) };
  await expect(readRows(chunks(bytesOf(row("r")), 100), () => {}, broken)).rejects.toThrow("gone");
});

/** A part of one row in one block, whose id is said to end where it does. */
function partOf(block: number, id_end: number): StreamPart {
  const columns: TableColumns = {
    ...{ count: 1, names: ["t"], ids: new Uint8Array(8), id_end: Uint32Array.of(id_end) },
    ...{ tenant: Uint32Array.of(0), arrival_ms: Float64Array.of(1), cost_micro: Float64Array.of(1) },
    ...{ soft: Uint8Array.of(0), line: Uint32Array.of(1) },
  };
  return { columns, stretches: [{ block, lines: 1, rows: 1, problems: 0 }], problems: [], problemCount: 0 };
}

test("ids that together end beyond 32 bits are an error before any room is made for them", () => {
  expect(() => joinParts([partOf(0, 2 ** 32 - 4), partOf(1, 4)])).toThrow("more than 4 GiB");
});

test("the parts' memory is given back while they are joined", () => {
  const parts = [partOf(0, 3), partOf(1, 4)];
  const { rows } = joinParts(parts);
  expect([rows.count, rows.idEnd(0), rows.idEnd(1), rows.line[1]]).toEqual([2, 3, 7, 2]);
  for (const { columns } of parts)
    expect(memoryOfTable(columns).map(({ byteLength }) => byteLength)).toEqual([0, 0, 0, 0, 0, 0, 0]);
});
