import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { DecisionRow, PlaceRow } from "../../contract/round-view.ts";
import { type DecisionQuery, type PlaceQuery, RoundView } from "./round-view.ts";
import { DECISIONS, PLACES, RoundViewWriter } from "./view-schema.ts";

const REQUESTS = 1_000_000;
const TENANTS = 1000;
const MISMATCHES = 100_000;
const RUNS = 9;
const PAGE = 200;
const VERDICTS = ["accepted", "accepted", "accepted", "queued", "rejected"] as const;

/** Neighbouring numbers far apart, the same at every run. */
const scattered = (at: number): number => (at * 2_654_435_761) % 4_294_967_296;

function* decisions(): Generator<DecisionRow> {
  for (let position = 0; position < REQUESTS; position++) {
    const verdict = VERDICTS[scattered(position) % VERDICTS.length]!;
    yield {
      position,
      req_id: `req-${String(scattered(position)).padStart(10, "0")}`,
      tenant: `tenant-${scattered(position + 7) % TENANTS}`,
      tier_rank: position % 3,
      arrival_ms: Math.floor(position * 3.6),
      cost: 1,
      mode: position % 4 === 0 ? "hard" : "soft",
      file_position: scattered(position) % REQUESTS,
      dispatch_position: position,
      verdict,
      reason: verdict === "rejected" ? "queue_expired" : null,
      wait_ms: verdict === "accepted" ? 0 : scattered(position) % 60_000,
      reserve_breached: false,
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
      subject: `req-${position}`,
      path: `decisions[${position}].wait_ms`,
      result: "mismatch",
      reported: String(scattered(position) % 1000),
      expected: String(scattered(position + 1) % 1000),
      noise: null,
    };
}

const DECISION_QUERIES: [name: string, changes: Partial<DecisionQuery>][] = [
  ["first page", {}],
  ["page at 900 000", { offset: 900_000 }],
  ["page at 900 000, by file", { offset: 900_000, sort: "file" }],
  ["longest waits first", { sort: "wait", dir: "desc" }],
  ["a tenant's", { tenant: "tenant-77" }],
  ["a tenant's rejected, by wait", { tenant: "tenant-77", verdict: "rejected", sort: "wait" }],
  ["all rejected, page at 100 000", { verdict: "rejected", offset: 100_000 }],
  ["all rejected, by wait", { verdict: "rejected", sort: "wait" }],
  ["part of an id", { search: "req-00123" }],
  ["a reason", { reason: "queue_expired" }],
];
const PLACE_QUERIES: [name: string, changes: Partial<PlaceQuery>][] = [
  ["mismatches, the worst first", {}],
  ["mismatches, page at 90 000", { offset: 90_000 }],
];

function median(work: () => unknown): number {
  const took_ms: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    work();
    took_ms.push(performance.now() - start);
  }
  return took_ms.toSorted((a, b) => a - b)[(RUNS - 1) / 2]!;
}

/**
 * A page of a million decisions under each filter, and of a hundred thousand mismatches, as the pages ask for them: with
 * the total, counted anew. Beside it a bare count over the same table, which is what any answer with a total costs
 * without an index. One line of text each.
 */
export async function bench(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "view-bench-"));
  const path = join(folder, "view.sqlite");
  const writer = new RoundViewWriter(path);
  writer.add(DECISIONS, decisions());
  writer.add(PLACES, mismatches());
  writer.finish();
  const bare = new Database(path, { readonly: true });
  const scan = bare.prepare("SELECT COUNT(*) FROM decision NOT INDEXED WHERE mode = 'hard'");
  const floor_ms = median(() => scan.get());
  bare.close();
  const lines = [`${"bare scan of a million rows".padEnd(44)}${floor_ms.toFixed(1)} ms  (the floor)`];
  const measure = (name: string, work: (view: RoundView) => unknown) => {
    // A view remembers its totals: a new one each time, so that every page counts.
    const took_ms = median(() => {
      const view = new RoundView(path);
      work(view);
      view.close();
    });
    lines.push(
      `${name.padEnd(44)}${took_ms.toFixed(1)} ms  (${(took_ms / floor_ms).toFixed(2)} × the floor)`,
    );
  };
  for (const [name, changes] of DECISION_QUERIES)
    measure(name, (view) =>
      view.decisions({ sort: "dispatch", dir: "asc", limit: PAGE, offset: 0, ...changes }),
    );
  for (const [name, changes] of PLACE_QUERIES)
    measure(name, (view) => view.places({ result: "open", limit: PAGE, offset: 0, ...changes }));
  await rm(folder, { recursive: true });
  return lines;
}
