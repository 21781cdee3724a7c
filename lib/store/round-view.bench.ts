import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlaceRow } from "../../contract/round-view.ts";
import { QueryEngine } from "./query-engine.ts";
import { RoundView } from "./round-view.ts";
import { VIEW_FILES, type ViewFiles, viewFilesIn } from "./view-format.ts";
import { writeOrders } from "./view-orders.ts";
import type { DecisionQuery, PlaceQuery } from "./view-query.ts";
import { groupSource, placeSource, type SourcedGroup, tenantSource } from "./view-rows.ts";
import { type RowSource, ViewWriter } from "./view-writer.ts";

/** Ten million requests take minutes: only where they are asked for. */
const SIZES = process.env.THROTTLE_BENCH_LARGE === "1" ? [1_000_000, 10_000_000] : [1_000_000];
const TENANTS = 1000;
/** Requests of one group, as an hour of a thousand tenants has them. */
const MEMBERS = 3;
const MISMATCHES = 100_000;
const RUNS = 7;
const PAGE = 200;
/** Tenants of one page of buckets. */
const DRAWN = 24;

/** Neighbouring numbers far apart and without a pattern, the same at every run. */
function scattered(at: number): number {
  let mixed = Math.imul(at ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 0;
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
const tenantOf = (at: number): string => `tenant-${scattered(at) % TENANTS}`;
const idOf = (at: number): string => `req-${String(scattered(at)).padStart(10, "0")}`;

function decisions(writer: ViewWriter, requests: number): RowSource<"decisions"> {
  let position = 0;
  return (cells, room) => {
    const rows = Math.min(room, requests - position);
    for (let at = 0; at < rows; at++, position++) {
      const mixed = scattered(position);
      const verdict = [0, 0, 0, 1, 2][mixed % 5]!;
      cells.position.items[at] = position;
      cells.req_id.set(at, idOf(position));
      cells.tenant.items[at] = writer.numberOf(tenantOf(position));
      cells.tier_rank.items[at] = position % 3;
      cells.arrival_ms.items[at] = Math.floor((position * 3_600_000) / requests);
      cells.cost.items[at] = 1;
      cells.mode.items[at] = position % 4 === 0 ? 1 : 0;
      cells.file_position.items[at] =
        position % 2 === 0 ? position : requests - position - (requests % 2 ? 1 : 0);
      cells.dispatch_position.items[at] = position;
      cells.verdict.items[at] = verdict;
      if (verdict === 2) cells.reason.items[at] = 1;
      else cells.reason.setNull(at);
      cells.wait_ms.items[at] = verdict === 0 ? 0 : mixed % 60_000;
      cells.reserve_breached.items[at] = 0;
    }
    return rows;
  };
}

function* groups(requests: number): Generator<SourcedGroup> {
  const each = Math.floor(requests / MEMBERS / TENANTS);
  for (const source of ["engine", "reference"] as const)
    for (let tenant = 0; tenant < TENANTS; tenant++)
      for (let at = 0; at < each; at++) {
        const position = tenant * each + at;
        yield {
          source,
          position,
          tenant: `tenant-${tenant}`,
          tier: "gold",
          time_ms: at * 1000,
          signed_balance: (scattered(position) % 1000) / 8,
          signed_after: (scattered(position) % 900) / 8,
          required: 3,
          wait_ms: 0,
          step: 1,
          verdict: "accepted",
          reason: null,
          reserve_breached: false,
          req_ids: [0, 1, 2].map((member) => idOf(position * MEMBERS + member)),
        };
      }
}

function* mismatches(): Generator<PlaceRow> {
  for (let position = 0; position < MISMATCHES; position++)
    yield {
      position,
      check: "decisions.wait_ms",
      clause: "§3.3",
      section: "decisions",
      subject: idOf(position),
      path: `decisions[${position}].wait_ms`,
      result: "mismatch",
      reported: String(scattered(position) % 1000),
      expected: String(scattered(position + 1) % 1000),
      noise: null,
    };
}

async function write(files: ViewFiles, requests: number, temporary: string): Promise<void> {
  const tenants = Array.from({ length: TENANTS }, (_, tenant) => `tenant-${tenant}`);
  const writer = await ViewWriter.open(files, { tenants, tiers: ["gold"] }, temporary);
  await writer.write("tenants", tenantSource(writer, []));
  await writer.write("decisions", decisions(writer, requests));
  await writer.write("groups", groupSource(writer, groups(requests)));
  await writer.write("places", placeSource(mismatches()));
  await writer.sortPlaces();
  writer.close();
  await writeOrders(files, temporary);
}

const decisionQueries = (requests: number): [name: string, changes: Partial<DecisionQuery>][] => [
  ["first page", {}],
  ["page at nine tenths", { offset: requests * 0.9 }],
  ["page at nine tenths, by file", { offset: requests * 0.9, sort: "file" }],
  ["longest waits first", { sort: "wait", dir: "desc" }],
  ["page at half, by wait", { sort: "wait", dir: "desc", offset: requests / 2 }],
  ["page at nine tenths, by arrival", { sort: "arrival", offset: requests * 0.9 }],
  ["a tenant's", { tenant: "tenant-77" }],
  ["a tenant's rejected, by wait", { tenant: "tenant-77", verdict: "rejected", sort: "wait" }],
  ["all rejected, page at a tenth", { verdict: "rejected", offset: requests / 10 }],
  ["all rejected, by wait", { verdict: "rejected", sort: "wait" }],
  ["part of an id", { search: "req-00123" }],
  ["a reason", { reason: "queue_expired" }],
];
const PLACE_QUERIES: [name: string, changes: Partial<PlaceQuery>][] = [
  ["mismatches, the worst first", {}],
  ["mismatches, page at 90 000", { offset: 90_000 }],
];

async function median(work: () => Promise<unknown>): Promise<number> {
  const took_ms: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    await work();
    took_ms.push(performance.now() - start);
  }
  return took_ms.toSorted((a, b) => a - b)[(RUNS - 1) / 2]!;
}

async function pages(files: ViewFiles, requests: number, engine: QueryEngine): Promise<string[]> {
  const scan = "SELECT count(*) FROM read_parquet(?) WHERE wait_ms = 1";
  const floor_ms = await median(() => engine.rows(scan, [files.decisions]));
  const line = (name: string, took_ms: number) =>
    `${name.padEnd(44)}${took_ms.toFixed(1)} ms  (${(took_ms / floor_ms).toFixed(2)} × the floor)`;
  const lines = [`${"bare scan of one column".padEnd(44)}${floor_ms.toFixed(1)} ms  (the floor)`];
  // A view remembers its totals: a new one each time, so that every page counts.
  const measure = async (name: string, work: (view: RoundView) => Promise<unknown>) =>
    lines.push(line(name, await median(() => work(new RoundView(engine, files)))));
  for (const [name, changes] of decisionQueries(requests))
    await measure(name, (view) =>
      view.decisions({ sort: "dispatch", dir: "asc", limit: PAGE, offset: 0, ...changes }),
    );
  await measure("a request by its id", (view) => view.decision(idOf(Math.floor(requests / 2))));
  await measure("a tenant's groups", (view) => view.groups("engine", "tenant-77", { limit: 500, offset: 0 }));
  const drawn = Array.from({ length: DRAWN }, (_, at) => `tenant-${at * 31}`);
  await measure(`the balances of ${DRAWN} tenants`, (view) => view.balances(drawn, 400, "engine"));
  for (const [name, changes] of PLACE_QUERIES)
    await measure(name, (view) => view.places({ result: "open", limit: PAGE, offset: 0, ...changes }));
  return lines;
}

async function ofSize(requests: number): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "view-bench-"));
  const files = viewFilesIn(folder);
  const start = performance.now();
  await write(files, requests, join(folder, "temporary"));
  const seconds = (performance.now() - start) / 1000;
  const bytes = (await Promise.all(VIEW_FILES.map((file) => stat(files[file])))).map(({ size }) => size);
  const each = bytes.reduce((sum, size) => sum + size, 0) / requests;
  const engine = await QueryEngine.open([folder], join(folder, "temporary"));
  const lines = [
    `${requests.toLocaleString("en")} requests: written in ${seconds.toFixed(1)} s, ${each.toFixed(1)} bytes a request`,
    ...(await pages(files, requests, engine)),
  ];
  engine.close();
  await rm(folder, { recursive: true });
  return lines;
}

/**
 * A page of decisions under each filter, and of a hundred thousand mismatches, as the pages ask for them: with the total,
 * counted anew. Beside it a bare scan of one column of the same file in the same run. One line of text each.
 */
export async function bench(): Promise<string[]> {
  const lines: string[] = [];
  for (const requests of SIZES) lines.push(...(await ofSize(requests)));
  return lines;
}
