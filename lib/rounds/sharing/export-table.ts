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

/** Columns of each table, in order, by the names of the report. */
export const EXPORT_COLUMNS: Readonly<Record<(typeof EXPORT_TABLES)[number], readonly string[]>> = {
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
