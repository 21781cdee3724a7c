import Database from "better-sqlite3";
import type { GroupRow } from "../../contract/group.ts";
import {
  type DecisionRow,
  PLACE_SECTIONS,
  type PlaceRow,
  type TenantRow,
} from "../../contract/round-view.ts";

/** Member ids kept of a group; all are counted. */
export const MEMBERS_KEPT = 50;

/** One table of a round's view: its columns, and how a row fills them, in the same order. Booleans are 0 or 1. */
interface ViewTable<Row> {
  name: string;
  /** Name and kind: whole numbers are kept short as INTEGER, tokens as REAL, so that no division is one of integers. */
  columns: readonly string[];
  values(row: Row): unknown[];
}

const flag = (value: boolean): number => (value ? 1 : 0);

/** Which side found a group, as it is kept: there are millions of them, in a table and an index. */
export const SOURCES = ["engine", "reference"] as const;

export const TENANTS: ViewTable<TenantRow> = {
  name: "tenant",
  columns: [
    "tenant TEXT",
    "tier TEXT",
    "tier_rank INTEGER",
    "guaranteed INTEGER",
    "capacity REAL",
    "opening_tokens REAL",
    "closing_tokens REAL",
    "reserve_tokens REAL",
    "reserve_breached INTEGER",
    "used REAL",
    "accepted INTEGER",
    "queued INTEGER",
    "rejected INTEGER",
    "groups INTEGER",
    "breaches INTEGER",
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
    "position INTEGER PRIMARY KEY",
    "req_id TEXT",
    "tenant TEXT",
    "tier_rank INTEGER",
    "arrival_ms INTEGER",
    "cost REAL",
    "mode TEXT",
    "file_position INTEGER",
    "dispatch_position INTEGER",
    "verdict TEXT",
    "reason TEXT",
    "wait_ms INTEGER",
    "reserve_breached INTEGER",
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
    "source INTEGER",
    "position INTEGER",
    "tenant TEXT",
    "tier TEXT",
    "time_ms INTEGER",
    "signed_balance REAL",
    "signed_after REAL",
    "required REAL",
    "wait_ms INTEGER",
    "step INTEGER",
    "verdict TEXT",
    "reason TEXT",
    "reserve_breached INTEGER",
    "members INTEGER",
    "req_ids TEXT",
  ],
  values: (row) => [
    SOURCES.indexOf(row.source),
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
  columns: [
    "position INTEGER PRIMARY KEY",
    "check_id TEXT",
    "clause TEXT",
    "section TEXT",
    "subject TEXT",
    "path TEXT",
    "result TEXT",
    "reported TEXT",
    "expected TEXT",
    "noise TEXT",
  ],
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
    row.noise,
  ],
};

/** What differs. A constant, not a parameter: only so does the index of the worst serve. */
export const OPEN_PLACE = "result IN ('mismatch', 'indeterminate')";

/**
 * What differs, section by section as the report has them; in each, the worst first: what could not be compared after
 * what is wrong, another verdict or text before another number, and numbers by how far they are apart.
 */
export const WORST_PLACE = `CASE section ${PLACE_SECTIONS.map((section, at) => `WHEN '${section}' THEN ${at}`).join(" ")} END,
  result DESC,
  CASE WHEN json_type(reported) IN ('integer', 'real') AND json_type(expected) IN ('integer', 'real')
    THEN abs(json_extract(reported, '$') - json_extract(expected, '$')) * 1.0
      / max(abs(json_extract(reported, '$')), abs(json_extract(expected, '$')))
    ELSE 3 END DESC,
  position`;

/** A rowid stands at the end of every index, and it is the position where a table has one. */
const INDICES = [
  "CREATE UNIQUE INDEX tenant_name ON tenant (tenant)",
  "CREATE INDEX decision_id ON decision (req_id)",
  "CREATE INDEX decision_tenant ON decision (tenant)",
  "CREATE INDEX decision_verdict ON decision (verdict)",
  "CREATE INDEX decision_arrival ON decision (arrival_ms)",
  "CREATE INDEX decision_wait ON decision (wait_ms)",
  "CREATE INDEX decision_verdict_wait ON decision (verdict, wait_ms)",
  "CREATE INDEX decision_reason ON decision (reason) WHERE reason IS NOT NULL",
  "CREATE INDEX decision_file ON decision (file_position)",
  // All that thinning and looking for a request need, so that neither reads the groups themselves.
  "CREATE INDEX group_tenant ON decided_group (tenant, source, position, time_ms, step, reserve_breached)",
  "CREATE INDEX group_breach ON decided_group (time_ms, tenant, source, position) WHERE reserve_breached = 1",
  `CREATE INDEX place_worst ON place (${WORST_PLACE}) WHERE ${OPEN_PLACE}`,
  "CREATE INDEX place_section ON place (section, result)",
  "CREATE INDEX place_subject ON place (subject)",
];

/** Memory for pages and for sorting indices, KiB: a round's process has it, and a million rows need no second pass. */
const CACHE_KIB = 256 * 1024;

/** Writes a round's view: one SQLite file of what the pages query, made by the round's own process. */
export class RoundViewWriter {
  private readonly database: Database.Database;

  constructor(path: string) {
    this.database = new Database(path);
    // The file is new and thrown away where writing it fails; `adopt` syncs it before it counts.
    this.database.pragma("journal_mode = OFF");
    this.database.pragma("synchronous = OFF");
    this.database.pragma("locking_mode = EXCLUSIVE");
    this.database.pragma(`cache_size = -${CACHE_KIB}`);
    this.database.pragma("temp_store = MEMORY");
    for (const { name, columns } of [TENANTS, DECISIONS, GROUPS, PLACES])
      this.database.exec(`CREATE TABLE ${name} (${columns.join(", ")})`);
    this.database.exec("BEGIN");
  }

  /** Adds rows to one of the tables. */
  add<Row>({ name, columns, values }: ViewTable<Row>, rows: Iterable<Row>): void {
    const insert = this.database.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => "?").join(", ")})`);
    for (const row of rows) insert.run(values(row));
  }

  finish(): void {
    for (const index of INDICES) this.database.exec(index);
    this.database.exec("COMMIT");
    this.database.pragma("analysis_limit = 1000");
    this.database.exec("ANALYZE");
    this.database.close();
  }
}
