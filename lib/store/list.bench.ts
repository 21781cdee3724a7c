import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { fillWithRounds, NEWEST_MS } from "./many-rounds.ts";
import { openStore } from "./open-store.ts";
import type { RoundQuery } from "./rounds.ts";

const COUNT = 10_000;
const RUNS = 20;
const PAGE = 50;
const DAY_MS = 86_400_000;

const QUERIES: [name: string, changes: Partial<RoundQuery>][] = [
  ["first page", {}],
  ["last page", { offset: COUNT - PAGE }],
  ["by requests, ascending", { sort: "requests", dir: "asc" }],
  ["search in names", { search: "region 3" }],
  ["findings of a week", { statuses: ["finding"], from_ms: NEWEST_MS - 7 * DAY_MS }],
  ["false greens", { false_green: true }],
  ["a tenant's", { tenant: "tenant-77" }],
  ["a stream's", { stream: "deadbeef" }],
];

/** The middle of a few runs, in milliseconds. */
async function median(work: () => unknown): Promise<number> {
  const took_ms: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    await work();
    took_ms.push(performance.now() - start);
  }
  return took_ms.toSorted((a, b) => a - b)[RUNS / 2]!;
}

/**
 * A page of the list and its count among ten thousand rounds, beside a bare query of as many rows by their keys and a
 * bare count over the same file. One line of text each.
 */
export async function bench(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "list-bench-"));
  await (await openStore(folder)).close();
  fillWithRounds(folder, COUNT);
  const bare = new Database(join(folder, "tenantthrottle.sqlite"), { readonly: true });
  const rows = bare.prepare("SELECT * FROM round WHERE rowid > ? LIMIT ?");
  const count = bare.prepare("SELECT COUNT(*) FROM round");
  const floor_ms = await median(() => [rows.all(COUNT / 2, PAGE), count.get()]);
  bare.close();
  const store = await openStore(folder);
  const lines = [`${"bare query of a page and a count".padEnd(40)}${floor_ms.toFixed(2)} ms  (the floor)`];
  for (const [name, changes] of QUERIES) {
    const query: RoundQuery = { sort: "created", dir: "desc", limit: PAGE, offset: 0, ...changes };
    const took_ms = await median(() => store.rounds.list(query));
    lines.push(
      `${name.padEnd(40)}${took_ms.toFixed(2)} ms  (${(took_ms / floor_ms).toFixed(1)} × the floor)`,
    );
  }
  await store.close();
  await rm(folder, { recursive: true });
  return lines;
}
