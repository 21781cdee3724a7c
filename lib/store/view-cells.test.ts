import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { QueryEngine } from "./query-engine.ts";
import { viewFilesIn } from "./view-format.ts";
import { type Cells, ViewWriter } from "./view-writer.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "view-cells-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes rows of groups, each by `fill`, and reads two columns of them back. */
async function written(
  rows: number,
  fill: (cells: Cells<"groups">, at: number, row: number) => void,
): Promise<Record<string, unknown>[]> {
  const files = viewFilesIn(folder);
  const writer = await ViewWriter.open(files, { tenants: [], tiers: ["gold"] }, join(folder, "queries"));
  let row = 0;
  await writer.write("groups", (cells, room) => {
    const count = Math.min(room, rows - row);
    for (let at = 0; at < count; at++, row++) {
      cells.position.items[at] = row;
      fill(cells, at, row);
    }
    return count;
  });
  writer.close();
  const engine = await QueryEngine.open([folder], join(folder, "queries"));
  try {
    return await engine.rows("SELECT req_ids, wait_ms, tier FROM read_parquet($1) ORDER BY position", [
      files.groups,
    ]);
  } finally {
    engine.close();
  }
}

const bytes = (text: string) => Buffer.from(`<${text}>`);
/** Texts of 0 to 40 bytes and far more, of one byte a letter and of four, so that every chunk has both kinds. */
const textOf = (row: number) =>
  row % 97 === 0 ? "long ".repeat(row) : `${"😀é".repeat(row % 4)}${"x".repeat(row % 23)}`;

test("texts come back whatever their length, over many chunks, by their letters and by their bytes", async () => {
  const rows = await written(5000, (cells, at, row) => {
    const source = bytes(textOf(row));
    if (row % 2 === 0) cells.req_ids.set(at, textOf(row));
    else cells.req_ids.setBytes(at, source, 1, source.length - 1);
  });
  expect(rows.map(({ req_ids }) => req_ids)).toEqual(rows.map((_, row) => textOf(row)));
});

test("a list is the JSON of its texts, whatever they are", async () => {
  const odd = ['say "no"', "back\\slash", "\u0000", "\n", "\u007f", "\u2028", "é", "", "plain", "1"];
  const listOf = (row: number) => Array.from({ length: row % 60 }, (_, at) => odd[(row + at) % odd.length]!);
  const rows = await written(3000, (cells, at, row) => {
    cells.req_ids.openList();
    for (const text of listOf(row)) cells.req_ids.addToList(bytes(text), 1, bytes(text).length - 1);
    cells.req_ids.closeList(at);
  });
  expect(rows.map(({ req_ids }) => req_ids)).toEqual(rows.map((_, row) => JSON.stringify(listOf(row))));
});

test("what is null in one chunk has a value in the next, and a text that is not set is empty", async () => {
  const rows = await written(6000, (cells, at, row) => {
    const isFirst = row < 2048;
    if (isFirst) cells.wait_ms.setNull(at);
    else cells.wait_ms.items[at] = row;
    cells.tier.set(at, isFirst ? "gold" : null);
    if (row % 3 === 0) cells.req_ids.set(at, null);
    else if (isFirst) cells.req_ids.set(at, "longer than a record holds");
  });
  expect(rows).toEqual(
    rows.map((_, row) => ({
      req_ids: row % 3 === 0 ? null : row < 2048 ? "longer than a record holds" : "",
      wait_ms: row < 2048 ? null : row,
      tier: row < 2048 ? "gold" : null,
    })),
  );
});
