import Database from "better-sqlite3";
import type { GroupRow } from "../../contract/group.ts";
import type { DecisionRow, PlaceRow, TenantRow } from "../../contract/round-view.ts";

/** Member ids kept of a group; all are counted. */
export const MEMBERS_KEPT = 50;

/** One table of a round's view: its columns, and how a row fills them. Booleans are 0 or 1. */
interface ViewTable<Row> {
  name: string;
  columns: readonly string[];
  values(row: Row): unknown[];
}

const flag = (value: boolean): number => (value ? 1 : 0);

export const TENANTS: ViewTable<TenantRow> = {
  name: "tenant",
  columns: [
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
  values: (row) => [
    row.tenant,
    row.tier,
    row.tier_rank,
    flag(row.guaranteed),
    row.capacity,
    row.opening_tokens,
    row.closing_tokens,
    row.reserve_tokens,
    flag(row.reserve_breached),
    row.used,
    row.accepted,
    row.queued,
    row.rejected,
    row.groups,
    row.breaches,
  ],
};

export const DECISIONS: ViewTable<DecisionRow> = {
  name: "decision",
  columns: [
    "position",
    "req_id",
    "tenant",
    "tier_rank",
    "arrival_ms",
    "cost",
    "mode",
    "file_position",
    "dispatch_position",
    "verdict",
    "reason",
    "wait_ms",
    "reserve_breached",
  ],
  values: (row) => [
    row.position,
    row.req_id,
    row.tenant,
    row.tier_rank,
    row.arrival_ms,
    row.cost,
    row.mode,
    row.file_position,
    row.dispatch_position,
    row.verdict,
    row.reason,
    row.wait_ms,
    flag(row.reserve_breached),
  ],
};

export const GROUPS: ViewTable<GroupRow & { source: "engine" | "reference" }> = {
  name: "decided_group",
  columns: [
    "source",
    "position",
    "tenant",
    "tier",
    "time_ms",
    "signed_balance",
    "signed_after",
    "required",
    "wait_ms",
    "step",
    "verdict",
    "reason",
    "reserve_breached",
    "members",
    "req_ids",
  ],
  values: (row) => [
    row.source,
    row.position,
    row.tenant,
    row.tier,
    row.time_ms,
    row.signed_balance,
    row.signed_after,
    row.required,
    row.wait_ms,
    row.step,
    row.verdict,
    row.reason,
    flag(row.reserve_breached),
    row.req_ids.length,
    JSON.stringify(row.req_ids.slice(0, MEMBERS_KEPT)),
  ],
};

export const PLACES: ViewTable<PlaceRow> = {
  name: "place",
  columns: ["position", "check_id", "clause", "section", "subject", "path", "result", "reported", "expected"],
  values: (row) => [
    row.position,
    row.check,
    row.clause,
    row.section,
    row.subject,
    row.path,
    row.result,
    row.reported,
    row.expected,
  ],
};

const INDICES = [
  "CREATE UNIQUE INDEX tenant_name ON tenant (tenant)",
  "CREATE UNIQUE INDEX decision_position ON decision (position)",
  "CREATE INDEX decision_id ON decision (req_id)",
  "CREATE INDEX decision_tenant ON decision (tenant, position)",
  "CREATE INDEX decision_verdict ON decision (verdict, position)",
  "CREATE INDEX group_tenant ON decided_group (source, tenant, position)",
  "CREATE INDEX group_breach ON decided_group (reserve_breached, position)",
  "CREATE INDEX place_result ON place (result, position)",
  "CREATE INDEX place_section ON place (section, result, position)",
];

/** Writes a round's view: one SQLite file of what the pages query, made by the round's own process. */
export class RoundViewWriter {
  private readonly database: Database.Database;

  constructor(path: string) {
    this.database = new Database(path);
    // The file is new and thrown away where writing it fails; `adopt` syncs it before it counts.
    this.database.pragma("journal_mode = OFF");
    this.database.pragma("synchronous = OFF");
    for (const { name, columns } of [TENANTS, DECISIONS, GROUPS, PLACES])
      this.database.exec(`CREATE TABLE ${name} (${columns.join(", ")})`);
    this.database.exec("BEGIN");
  }

  /** Adds rows to one of the tables. */
  add<Row>({ name, columns, values }: ViewTable<Row>, rows: Iterable<Row>): void {
    const insert = this.database.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => "?").join(", ")})`);
    for (const row of rows) insert.run(...values(row));
  }

  finish(): void {
    for (const index of INDICES) this.database.exec(index);
    this.database.exec("COMMIT");
    this.database.exec("ANALYZE");
    this.database.close();
  }
}
