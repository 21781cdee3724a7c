import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  LIST,
  listValue,
  VARCHAR,
} from "@duckdb/node-api";

/** What may be bound in a statement. */
export type Bound = string | number;
/** A row as DuckDB gives it, by its columns. */
export type RawRow = Record<string, string | number | null>;

/** Queries that run at once; more would wait for a core. Each walk has a connection of its own besides. */
const AT_ONCE = 2;
const SETTINGS = {
  // Of what DuckDB counts itself; resident memory can be a few hundred MB above it.
  memory_limit: "384MB",
  threads: "2",
  // A server without a network must not wait for one; what is needed is built in.
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
  preserve_insertion_order: "true",
};

/**
 * Settings of every DuckDB of this program.
 * @param temporary where it puts what does not fit the memory
 */
export const engineSettings = (temporary: string): Record<string, string> => ({
  ...SETTINGS,
  temp_directory: temporary,
  max_temp_directory_size: "20GB",
});

/** A column of numbers: a plain typed array, which its type hides. */
const itemsOf = (chunk: DuckDBDataChunk, column: number): ArrayLike<number> =>
  (chunk.getColumnVector(column) as unknown as { items: ArrayLike<number> }).items;

/**
 * Queries over Parquet files, answered by threads of their own while the event loop goes on. Statements are constant
 * texts; whatever varies, paths too, is bound. A process has one, so that memory is bounded whatever it has open.
 */
export class QueryEngine {
  private readonly instance: DuckDBInstance;
  private readonly idle: DuckDBConnection[] = [];
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  private constructor(instance: DuckDBInstance) {
    this.instance = instance;
  }

  /**
   * @param readable the only folders whose files it may read
   * @param temporary a folder for what does not fit the memory; whoever owns it removes it
   */
  static async open(readable: readonly string[], temporary: string): Promise<QueryEngine> {
    const instance = await DuckDBInstance.create(":memory:", engineSettings(temporary));
    const connection = await instance.connect();
    await connection.run("SET allowed_directories = $1", [listValue([...readable])], [LIST(VARCHAR)]);
    await connection.run("SET parquet_metadata_cache = true");
    await connection.run("SET enable_external_access = false");
    await connection.run("SET lock_configuration = true");
    const engine = new QueryEngine(instance);
    engine.idle.push(connection);
    return engine;
  }

  /** All rows of a query; a few hundred, or narrow ones. */
  async rows<Row = RawRow>(sql: string, values: readonly Bound[]): Promise<Row[]> {
    const connection = await this.acquire();
    try {
      const result = await connection.runAndReadAll(sql, [...values]);
      return result.getRowObjectsJS() as Row[];
    } finally {
      this.release(connection);
    }
  }

  /** The first columns of a query, of 32-bit numbers none of which is null: many of them, without an object a row. */
  async wholeNumbers(sql: string, values: readonly Bound[], columns: number): Promise<Int32Array[]> {
    const connection = await this.acquire();
    try {
      const result = await connection.run(sql, [...values]);
      const chunks = await result.fetchAllChunks();
      const rows = chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0);
      return Array.from({ length: columns }, (_, column) => {
        const numbers = new Int32Array(rows);
        let at = 0;
        for (const chunk of chunks) {
          numbers.set(itemsOf(chunk, column), at);
          at += chunk.rowCount;
        }
        return numbers;
      });
    } finally {
      this.release(connection);
    }
  }

  /** The columns of a query of numbers none of which is null, in pieces; see `stream`. */
  async *numbers(
    sql: string,
    values: readonly Bound[],
    expected: number,
  ): AsyncGenerator<{ length: number; columns: ArrayLike<number>[] }> {
    const connection = await this.instance.connect();
    try {
      const result = await connection.stream(sql, [...values]);
      let rows = 0;
      for await (const chunk of result) {
        const columns = Array.from({ length: chunk.columnCount }, (_, column) => itemsOf(chunk, column));
        rows += chunk.rowCount;
        yield { length: chunk.rowCount, columns };
      }
      if (rows !== expected) throw new Error(`${expected} rows were expected, ${rows} were read`);
    } finally {
      connection.interrupt();
      connection.closeSync();
    }
  }

  /**
   * The rows of a query in pieces, however many there are. A stream that fails midway ends as the end of the data does:
   * so it must be known how many rows there are, and fewer are an error.
   */
  async *stream<Row = RawRow>(
    sql: string,
    values: readonly Bound[],
    expected: number,
  ): AsyncGenerator<Row[]> {
    const connection = await this.instance.connect();
    try {
      const result = await connection.stream(sql, [...values]);
      let rows = 0;
      for await (const piece of result.yieldRowObjectJs()) {
        rows += piece.length;
        yield piece as Row[];
      }
      if (rows !== expected) throw new Error(`${expected} rows were expected, ${rows} were read`);
    } finally {
      connection.interrupt();
      connection.closeSync();
    }
  }

  close(): void {
    for (const connection of this.idle) connection.closeSync();
    this.instance.closeSync();
  }

  private async acquire(): Promise<DuckDBConnection> {
    if (this.busy >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.busy += 1;
    try {
      return this.idle.pop() ?? (await this.instance.connect());
    } catch (error) {
      this.pass();
      throw error;
    }
  }

  private release(connection: DuckDBConnection): void {
    this.idle.push(connection);
    this.pass();
  }

  /** Gives the place to whoever waits longest. */
  private pass(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.busy -= 1;
    else next();
  }
}
