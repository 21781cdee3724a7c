import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { QueryEngine } from "./query-engine.ts";
import { viewFilesIn } from "./view-format.ts";
import { type RowSource, ViewWriter } from "./view-writer.ts";

/** A data folder may be called anything. */
const folder = mkdtempSync(join(tmpdir(), `o'd, "quoted" [odd] \\ é `));
const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
const ROWS = 100_000;
const COUNT = "SELECT count(*)::DOUBLE AS rows FROM read_parquet(?)";
let engine: QueryEngine;

/** Rows of a place in the order of dispatch, the rest of each left as it is. */
function numbered(rows: number, failsAt = Number.POSITIVE_INFINITY): RowSource<"decisions"> {
  let position = 0;
  return (cells, room) => {
    const count = Math.min(room, rows - position);
    for (let at = 0; at < count; at++, position++) {
      if (position === failsAt) throw new RangeError(`row ${position} cannot be made`);
      cells.position.items[at] = position;
      cells.req_id.set(at, `req-${position}`);
    }
    return count;
  };
}

async function written(parent: string, rows: number, failsAt?: number): Promise<string> {
  const files = viewFilesIn(mkdtempSync(join(parent, "view-")));
  const writer = await ViewWriter.open(files, { tenants: [], tiers: [] }, join(parent, "writing"));
  try {
    expect(await writer.write("decisions", numbered(rows, failsAt))).toBe(rows);
  } finally {
    writer.close();
  }
  return files.decisions;
}

beforeAll(async () => {
  engine = await QueryEngine.open([folder], join(folder, "temporary"));
});
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
  rmSync(elsewhere, { recursive: true });
});

test("files of its folder are read, whatever the folder is called; others are not", async () => {
  expect(await engine.rows(COUNT, [await written(folder, 3)])).toEqual([{ rows: 3 }]);
  await expect(engine.rows(COUNT, [await written(elsewhere, 3)])).rejects.toThrow(
    "disabled by configuration",
  );
  await expect(engine.rows("COPY (SELECT 1) TO (?)", [join(elsewhere, "made.csv")])).rejects.toThrow();
  await expect(engine.rows("SET enable_external_access = true", [])).rejects.toThrow();
});

test("a stream gives every row once, and one row less than expected is an error, as is a file that is damaged", async () => {
  const file = await written(folder, ROWS);
  const read = async (path: string, expected: number) => {
    const positions: number[] = [];
    const sql = "SELECT position, req_id FROM read_parquet(?)";
    for await (const rows of engine.stream<{ position: number }>(sql, [path], expected))
      positions.push(...rows.map(({ position }) => position));
    return positions;
  };
  expect(await read(file, ROWS)).toEqual(Array.from({ length: ROWS }, (_, position) => position));
  await expect(read(file, ROWS + 1)).rejects.toThrow(`${ROWS + 1} rows were expected, ${ROWS} were read`);
  const cut = join(folder, "cut.parquet");
  writeFileSync(cut, "PAR1 and no more");
  await expect(read(cut, 0)).rejects.toThrow();
  // The footer is whole, so that reading begins; what is wrong is met on the way.
  const damaged = join(folder, "damaged.parquet");
  const bytes = readFileSync(file);
  bytes.fill(0xff, Math.floor(bytes.length / 4), Math.floor(bytes.length / 2));
  writeFileSync(damaged, bytes);
  await expect(read(damaged, ROWS)).rejects.toThrow();
});

test("a walk that is given up ends, and further queries are answered", async () => {
  const file = await written(folder, ROWS);
  for await (const rows of engine.stream("SELECT * FROM read_parquet(?)", [file], ROWS)) {
    expect(rows.length).toBeGreaterThan(0);
    break;
  }
  expect(await engine.rows(COUNT, [file])).toEqual([{ rows: ROWS }]);
});

test("more queries than run at once are all answered, also after one that fails", async () => {
  const file = await written(folder, ROWS);
  const failing = engine.rows("SELECT nothing FROM read_parquet(?)", [file]);
  const answers = Array.from({ length: 40 }, (_, at) =>
    engine.rows("SELECT req_id FROM read_parquet(?) WHERE position = ?", [file, at]),
  );
  await expect(failing).rejects.toThrow("nothing");
  expect(await Promise.all(answers)).toEqual(answers.map((_, at) => [{ req_id: `req-${at}` }]));
});

test("a source that fails is told as it failed", async () => {
  await expect(written(folder, ROWS, 70_000)).rejects.toThrow(new RangeError("row 70000 cannot be made"));
});
