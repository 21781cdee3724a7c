import { type Deviation, deviationOf } from "../../../contract/deviation.ts";
import { decidedWait } from "../../../contract/group.ts";
import type { GroupView, PlaceRow, RoundSummary } from "../../../contract/round-view.ts";
import type { Window } from "../../store/view-page.ts";
import type { DecisionQuery, PlaceQuery, TenantQuery } from "../../store/view-query.ts";
import type { RoundRows } from "./masked-view.ts";
import type { ExportRow, ExportRows } from "./table-text.ts";

export const EXPORT_TABLES = [
  "tenants",
  "decisions",
  "places",
  "groups",
  "breaches",
  "checks",
  "criteria",
  "lines",
] as const;

/** Which rows of a round are exported: exactly those that the page of the same query shows. */
export type TableQuery =
  | ({ table: "tenants" } & Omit<TenantQuery, keyof Window>)
  | ({ table: "decisions" } & Omit<DecisionQuery, keyof Window>)
  | ({ table: "places" } & Omit<PlaceQuery, keyof Window>)
  | { table: "groups"; tenant: string }
  | { table: "breaches" | "checks" | "criteria" | "lines" };

const GROUP_COLUMNS = [
  "source",
  "position",
  "tenant",
  "tier",
  "time_ms",
  "time_at",
  "signed_balance",
  "required",
  "signed_after",
  "wait_ms",
  "step",
  "verdict",
  "reason",
  "reserve_breached",
  "members",
  "req_ids",
] as const;

/** Columns of each table, in order, by the names of the report; those of `ofRound` come behind. */
const TABLE_COLUMNS: Readonly<Record<(typeof EXPORT_TABLES)[number], readonly string[]>> = {
  tenants: [
    "tenant",
    "tier",
    "tier_rank",
    "guaranteed",
    "capacity",
    "opening_tokens",
    "closing_tokens",
    "reserve_tokens",
    "reserve_breached",
    "used",
    "accepted",
    "queued",
    "rejected",
    "groups",
    "breaches",
  ],
  decisions: [
    "dispatch_position",
    "file_position",
    "req_id",
    "tenant",
    "tier_rank",
    "arrival_ms",
    "arrival_at",
    "cost",
    "mode",
    "verdict",
    "reason",
    "reserve_breached",
    "wait_ms",
  ],
  places: [
    "path",
    "section",
    "subject",
    "check",
    "clause",
    "result",
    "reported",
    "expected",
    "noise",
    "deviation",
    "deviation_by",
  ],
  groups: GROUP_COLUMNS,
  breaches: GROUP_COLUMNS,
  checks: ["check", "title", "clause", "places", "matched", "mismatched", "indeterminate", "ignored"],
  criteria: ["id", "group", "clause", "title", "passed", "detail"],
  lines: ["line", "field", "reason"],
};

const ROUND_COLUMNS = ["round", "round_id"];

/** Columns of a table's file, in order: those of the table, and which round it is of. */
export const exportColumns = (table: (typeof EXPORT_TABLES)[number]): readonly string[] => [
  ...TABLE_COLUMNS[table],
  ...ROUND_COLUMNS,
];

/** What a file tells of its round, so that it can be read when it lies beside others a week later. */
export interface ExportedRound {
  /** Its name; `round_id` null where the access gives none. */
  round: string;
  round_id: string | null;
  /** When the log's earliest request arrived, ms since 1970; null where the stream tells no moments. */
  log_start_at_ms: number | null;
}

/** A time of the round, in ms from its start, by the log's own clock: ISO 8601 in UTC. */
const clockTime = (start_at_ms: number | null, ms: unknown): string | null =>
  start_at_ms === null || typeof ms !== "number" ? null : new Date(start_at_ms + ms).toISOString();

/** Rows with the round that they are of, and each time also by the log's clock. */
export async function* ofRound(
  rows: ExportRows,
  { round, round_id, log_start_at_ms }: ExportedRound,
): AsyncGenerator<ExportRow> {
  for await (const row of rows) {
    const { arrival_ms, time_ms } = row as { arrival_ms?: unknown; time_ms?: unknown };
    yield {
      ...row,
      ...(arrival_ms === undefined ? {} : { arrival_at: clockTime(log_start_at_ms, arrival_ms) }),
      ...(time_ms === undefined ? {} : { time_at: clockTime(log_start_at_ms, time_ms) }),
      round,
      round_id,
    };
  }
}

/** Places with what was recorded of them (§5.3). */
export async function* withDeviations(
  rows: AsyncIterable<PlaceRow>,
  deviations: readonly Deviation[],
): AsyncGenerator<ExportRow> {
  for await (const row of rows) {
    const recorded = row.result === "match" ? null : deviationOf(deviations, row);
    yield { ...row, deviation: recorded?.reason ?? null, deviation_by: recorded?.by ?? null };
  }
}

/** Groups with the wait that their decisions have. */
async function* withDecidedWait(rows: AsyncIterable<GroupView>): AsyncGenerator<ExportRow> {
  for await (const row of rows) yield { ...row, wait_ms: decidedWait(row) };
}

/** The rows of a table of a finished round, one at a time. */
export function exportRows(view: RoundRows, summary: RoundSummary, query: TableQuery): ExportRows {
  switch (query.table) {
    case "tenants":
      return view.eachTenant(query);
    case "decisions":
      return view.eachDecision(query);
    case "places":
      return view.eachPlace(query);
    case "groups":
      return withDecidedWait(view.eachGroup(query.tenant));
    case "breaches":
      return withDecidedWait(view.eachBreach());
    case "checks":
      return summary.table;
    case "criteria":
      return summary.acceptance;
    case "lines":
      return summary.skipped.lines;
  }
}
