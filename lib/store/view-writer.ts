import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTableFunction,
  type DuckDBType,
  ENUM,
  INTEGER,
  UTINYINT,
  VARCHAR,
} from "@duckdb/node-api";
import { engineSettings } from "./query-engine.ts";
import { CHUNK_ROWS, type ColumnCells, flushCells, NumberCells, TextCells, WordCells } from "./view-cells.ts";
import { type ColumnKind, VIEW_COLUMNS, type ViewFiles, type ViewTable } from "./view-format.ts";

/** What a column of each kind is filled through. */
interface CellsOfKind {
  whole: NumberCells;
  number: NumberCells;
  code: NumberCells;
  text: TextCells;
  tier: WordCells;
}

/** A few rows of a table that are being filled, column by column. */
export type Cells<Table extends ViewTable> = {
  readonly [column in keyof (typeof VIEW_COLUMNS)[Table]]: (typeof VIEW_COLUMNS)[Table][column] extends ColumnKind
    ? CellsOfKind[(typeof VIEW_COLUMNS)[Table][column]]
    : never;
};

/**
 * Fills the next rows of a table, at most `room` from row 0 on, and says how many; 0 where there are no more. Asked again
 * and again: so a table of millions is never in memory.
 */
export type RowSource<Table extends ViewTable> = (cells: Cells<Table>, room: number) => number;

const TYPES = { whole: INTEGER, number: DOUBLE, text: VARCHAR, code: UTINYINT };
/** Tiers by the codes that DuckDB keeps of them: a text is set far more slowly than a number. */
type Tiers = ReadonlyMap<string, number>;

function typeOf(kind: ColumnKind, tiers: Tiers): DuckDBType {
  if (kind !== "tier") return TYPES[kind];
  // There is no type of no words; where there is no tier there is no row either.
  return ENUM(tiers.size === 0 ? [""] : [...tiers.keys()]);
}

/** Less than queries have: it works while all of a round is in memory. What it cannot sort in that goes to the disk. */
const MEMORY = "128MB";

/**
 * To read a row its whole group is unpacked, and each group costs a little at every scan: tens of thousands are between.
 * Version 2 packs rising numbers by their differences; what is left is packed no better by a higher level.
 */
const FORMAT =
  "(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, ROW_GROUP_SIZE 32768)";
/** The groups of a tenant are asked for far more often than those of all. */
const SHORT_FORMAT =
  "(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, ROW_GROUP_SIZE 16384)";
/** What is copied; each text is constant, the file's path is bound. */
const COPIES: Readonly<Record<ViewTable, string>> = {
  tenants: `COPY (FROM tenants_source()) TO $1 ${FORMAT}`,
  decisions: `COPY (FROM decisions_source()) TO $1 ${FORMAT}`,
  groups: `COPY (FROM groups_source()) TO $1 ${SHORT_FORMAT}`,
  places: `COPY (FROM places_source()) TO $1 ${FORMAT}`,
};
/** Section by section; what is wrong (1) before what could not be compared (2), then the others (0). */
const SORT_PLACES = `COPY (
  SELECT *, (row_number() OVER () - 1)::INTEGER AS worst FROM (
    FROM read_parquet($2) ORDER BY result NOT IN (1, 2), CASE WHEN result IN (1, 2) THEN section END,
      CASE WHEN result IN (1, 2) THEN result END, CASE WHEN result IN (1, 2) THEN distance END DESC,
      position)) TO $1 ${FORMAT}`;

function cellsOf(kind: ColumnKind, tiers: Tiers): ColumnCells {
  switch (kind) {
    case "text":
      return new TextCells();
    case "tier":
      return new WordCells(tiers);
    case "whole":
      return new NumberCells(new Int32Array(CHUNK_ROWS));
    case "number":
      return new NumberCells(new Float64Array(CHUNK_ROWS));
    case "code":
      return new NumberCells(new Uint8Array(CHUNK_ROWS));
  }
}

function tableFunction<Table extends ViewTable>(
  table: Table,
  tiers: Tiers,
  fill: (chunk: DuckDBDataChunk) => void,
): DuckDBTableFunction {
  return DuckDBTableFunction.create({
    name: `${table}_source`,
    bindFunction(bind) {
      for (const [column, kind] of Object.entries(VIEW_COLUMNS[table]))
        bind.addResultColumn(column, typeOf(kind, tiers));
    },
    // One after the other: rows stay in their order.
    initFunction: (init) => init.setMaxThreads(1),
    mainFunction(info, chunk) {
      try {
        fill(chunk);
      } catch (error) {
        info.setError(String(error));
      }
    },
  });
}

/** Numbers of all names that occur, by the order of their bytes. */
function numbered(names: Iterable<string>): Map<string, number> {
  const bytes = [...new Set(names)].map((name) => Buffer.from(name));
  return new Map(bytes.sort(Buffer.compare).map((name, number) => [name.toString(), number]));
}

/** Writes a round's view: what its pages query, as four files; made by the round's own process. */
export class ViewWriter {
  private readonly files: ViewFiles;
  private readonly instance: DuckDBInstance;
  /** Where places stand as they come, until they are sorted. */
  private readonly unsorted: string;
  /** Every name that occurs, in order, with its number. */
  readonly tenants: ReadonlyMap<string, number>;
  private readonly tiers: Tiers;

  private constructor(
    files: ViewFiles,
    instance: DuckDBInstance,
    unsorted: string,
    tenants: ReadonlyMap<string, number>,
    tiers: Tiers,
  ) {
    this.files = files;
    this.instance = instance;
    this.unsorted = unsorted;
    this.tenants = tenants;
    this.tiers = tiers;
  }

  /**
   * @param tenants every one that is named anywhere in the view
   * @param tiers the same of them
   * @param temporary a folder for what does not fit the memory; whoever owns it removes it
   */
  static async open(
    files: ViewFiles,
    { tenants, tiers }: { tenants: Iterable<string>; tiers: Iterable<string> },
    temporary: string,
  ): Promise<ViewWriter> {
    const settings = { ...engineSettings(temporary), memory_limit: MEMORY };
    const instance = await DuckDBInstance.create(":memory:", settings);
    const codes = new Map([...new Set(tiers)].map((tier, code) => [tier, code]));
    await mkdir(temporary, { recursive: true });
    const unsorted = join(temporary, "unsorted-places.parquet");
    return new ViewWriter(files, instance, unsorted, numbered(tenants), codes);
  }

  /** The number that stands for a tenant. */
  numberOf(tenant: string): number {
    const number = this.tenants.get(tenant);
    if (number === undefined)
      throw new Error(`the view was not told of the tenant ${JSON.stringify(tenant)}`);
    return number;
  }

  /**
   * Writes one of the tables whole; how many rows it has. Several can be written at once: rows of one are made while
   * those of another are packed. Places come into their order by `sortPlaces`.
   * @param onRows told how many were taken so far
   */
  async write<Table extends ViewTable>(
    table: Table,
    source: RowSource<Table>,
    onRows: (rows: number) => void = () => {},
  ): Promise<number> {
    const kinds = Object.entries(VIEW_COLUMNS[table]);
    let rows = 0;
    let failure: unknown = null;
    // One set of columns for all chunks: to make them anew for each took longer than to fill them.
    const columns = kinds.map(([, kind]) => cellsOf(kind, this.tiers));
    const cells = Object.fromEntries(kinds.map(([column], at) => [column, columns[at]!]));
    const fill = (chunk: DuckDBDataChunk) => {
      let filled = 0;
      try {
        filled = source(cells as unknown as Cells<Table>, CHUNK_ROWS);
      } catch (error) {
        failure = error;
        throw error;
      }
      flushCells(columns, chunk, filled);
      rows += filled;
      onRows(rows);
    };
    const path = table === "places" ? this.unsorted : this.files[table];
    let copied: number;
    try {
      copied = await this.copy(COPIES[table], [path], (connection) =>
        connection.registerTableFunction(tableFunction(table, this.tiers, fill)),
      );
    } catch (error) {
      throw failure ?? error;
    }
    if (copied !== rows) throw new Error(`the view's ${table} are ${rows}, but ${copied} were written`);
    return rows;
  }

  /**
   * Puts the places that were written into the order in which they are shown. A step of its own: it takes memory, which
   * whatever the places were found from may take before.
   */
  async sortPlaces(): Promise<void> {
    await this.copy(SORT_PLACES, [this.files.places, this.unsorted]);
    await rm(this.unsorted);
  }

  /** Copies by a connection of its own, so that several can be under way at once; how many rows. */
  private async copy(
    sql: string,
    values: string[],
    prepare: (connection: DuckDBConnection) => void = () => {},
  ): Promise<number> {
    const connection = await this.instance.connect();
    try {
      prepare(connection);
      const result = await connection.runAndReadAll(sql, values);
      return Number(result.getRows()[0]?.[0]);
    } finally {
      connection.closeSync();
    }
  }

  close(): void {
    this.instance.closeSync();
  }
}
