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

/** The import of the combined format beside the bare cutting of the same bytes into lines. */
export async function bench(): Promise<string[]> {
  const bytes = combinedLog();
  const floor_s = await leastTime(() => readLines(bytes));
  const import_s = await leastTime(() => importAll(bytes));
  const rate = (bytes.length / import_s / 1e6).toFixed(1);
  return [
    `import of ${LINES} lines, combined: ${rate} MB a processor second, ${(import_s / floor_s).toFixed(1)} times the floor (bytes into lines of text, nothing else)`,
  ];
}
