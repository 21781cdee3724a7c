import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { boundedLines, linesIn } from "./log/bounded-lines.ts";
import { importLog, type Spool } from "./log/import-log.ts";
import { readMapping } from "./log/request-mapper.ts";

const LINES = 200_000;
const CHUNK_BYTES = 1024 * 1024;
const RUNS = 3;

/** An hour of requests of a thousand tenants in the combined format. */
function combinedLog(): Uint8Array {
  const lines = Array.from({ length: LINES }, (_, at) => {
    const second = Math.floor((at * 3600) / LINES);
    const stamp = [10, Math.floor(second / 60), second % 60]
      .map((part) => String(part).padStart(2, "0"))
      .join(":");
    const address = `192.0.${Math.floor(((at * 7919) % 1000) / 250)}.${(at * 7919) % 250}`;
    return `${address} - - [25/Oct/2026:${stamp} +0000] "GET /api/v1/things/${at} HTTP/1.1" 200 ${at % 5000} "-" "Mozilla/5.0 (X11; Linux x86_64)"\n`;
  });
  return Buffer.from(lines.join(""));
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** Bytes cut into lines of text, and nothing done with them: no reader of lines is faster. */
async function readLines(bytes: Uint8Array): Promise<void> {
  let count = 0;
  for await (const block of boundedLines(chunksOf(bytes)))
    count += block.kind === "lines" ? linesIn(block.bytes).length : 1;
  if (count !== LINES) throw new Error(`${count} lines were read, not ${LINES}`);
}

async function importAll(bytes: Uint8Array): Promise<void> {
  const mapping = readMapping({
    version: 1,
    format: { id: "combined" },
    tenant: { by: "address", field: "remote_addr" },
    arrival: { field: "time_local", unit: "clf" },
    cost: { by: "constant", cost: 1 },
    mode: { by: "constant", mode: "soft" },
    req_id: { by: "line" },
  });
  if (!mapping.ok) throw new Error("the mapping is none");
  let parts: Uint8Array[] = [];
  const spool: Spool = {
    clear: async () => {
      parts = [];
    },
    append: async (text) => void parts.push(Buffer.from(text)),
    chunks: async function* () {
      yield* parts;
    },
  };
  const { summary, stream } = await importLog(() => chunksOf(bytes), mapping.value, spool);
  if (summary.requests !== LINES) throw new Error(`${summary.requests} requests, not ${LINES}`);
  for await (const _ of stream);
}

const EXPRESSION = '^(\\S+) \\S+ \\S+ \\[([^\\]]+)\\] "([^"]*)" (\\d{3}) (\\d+|-)(?: "([^"]*)" "([^"]*)")?$';

/** The same lines by a data engine, which splits them by one expression, reads their stamps, and sorts them. */
async function readByDuckDb(path: string): Promise<void> {
  const database = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await database.connect();
  const fields = "['remote_addr', 'time', 'request', 'status', 'size', 'referer', 'agent']";
  const lines = `read_csv('${path.replaceAll("'", "''")}', columns = {line: 'VARCHAR'}, delim = '\u0001', quote = '', escape = '', header = false)`;
  await connection.run(
    `CREATE TABLE requests AS SELECT part.remote_addr, strptime(part.time, '%d/%b/%Y:%H:%M:%S %z') AS arrival
       FROM (SELECT regexp_extract(line, '${EXPRESSION}', ${fields}) AS part FROM ${lines}) ORDER BY arrival`,
  );
  const [[count]] = (await connection.runAndReadAll("SELECT count(*) FROM requests")).getRows() as [[bigint]];
  if (Number(count) !== LINES) throw new Error(`the data engine read ${count} lines, not ${LINES}`);
}

/** Processor seconds of the best of some runs: others may use the machine too. */
async function leastTime(run: () => Promise<void>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < RUNS; nth++) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1e6);
  }
  return best;
}

/**
 * The import of the combined format beside two floors: the bare cutting of the same bytes into lines, and a data engine
 * that splits the lines by an expression and checks nothing. Processor seconds each, so that threads count for none.
 */
export async function bench(): Promise<string[]> {
  const bytes = combinedLog();
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const path = join(folder, "access.log");
    await writeFile(path, bytes);
    const lines_s = await leastTime(() => readLines(bytes));
    const engine_s = await leastTime(() => readByDuckDb(path));
    const import_s = await leastTime(() => importAll(bytes));
    const row = (what: string, seconds: number) =>
      [
        what.padEnd(58),
        `${(bytes.length / seconds / 1e6).toFixed(1).padStart(7)} MB/s`,
        `${(import_s / seconds).toFixed(2).padStart(6)} × faster`,
      ].join("  ");
    return [
      `${LINES.toLocaleString("en")} lines of the combined format, ${(bytes.length / 1e6).toFixed(0)} MB; processor seconds, best of ${RUNS}`,
      row("import: every line checked, a canonical stream written", import_s),
      row("floor: DuckDB by regexp_extract and strptime, sorted", engine_s),
      row("floor: bytes into lines of text, nothing else", lines_s),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}
