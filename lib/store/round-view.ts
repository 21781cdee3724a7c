import Database from "better-sqlite3";
import type {
  BalanceSeries,
  DecisionRow,
  GroupView,
  Page,
  PlaceCount,
  PlaceRow,
  TenantRow,
} from "../../contract/round-view.ts";
import { likeText } from "./rounds.ts";

/** A condition and what is bound in it. */
type Condition = [sql: string, ...values: (string | number)[]];
type Source = GroupView["source"];
type Raw<Row> = { [field in keyof Row]: Row[field] extends boolean ? number : Row[field] };

export interface Window {
  limit: number;
  offset: number;
}
export interface DecisionQuery extends Window {
  verdict?: string | undefined;
  tenant?: string | undefined;
  reason?: string | undefined;
  /** Part of a req_id. */
  search?: string | undefined;
  breached?: boolean | undefined;
  sort: "dispatch" | "file" | "arrival" | "wait";
  dir: "asc" | "desc";
}
export interface TenantQuery extends Window {
  search?: string | undefined;
  sort: "worst" | "name" | "used" | "rejected" | "breaches";
}
export interface PlaceQuery extends Window {
  section?: string | undefined;
  /** `open`: whatever is not green. */
  result: "open" | "all" | "match" | "mismatch" | "indeterminate";
  subject?: string | undefined;
}

const DECISION_ORDER = {
  dispatch: "position",
  file: "file_position",
  arrival: "arrival_ms",
  wait: "wait_ms",
} as const;
const TENANT_ORDER = {
  worst: "breaches DESC, rejected DESC, used / capacity DESC, tenant",
  name: "tenant",
  used: "used DESC, tenant",
  rejected: "rejected DESC, tenant",
  breaches: "breaches DESC, tenant",
} as const;

const tenantRow = (row: Raw<TenantRow>): TenantRow => ({
  ...row,
  guaranteed: row.guaranteed === 1,
  reserve_breached: row.reserve_breached === 1,
});
const decisionRow = (row: Raw<DecisionRow>): DecisionRow => ({
  ...row,
  reserve_breached: row.reserve_breached === 1,
});
const groupView = (row: Omit<Raw<GroupView>, "req_ids"> & { req_ids: string }): GroupView => ({
  ...row,
  reserve_breached: row.reserve_breached === 1,
  req_ids: JSON.parse(row.req_ids),
});
const placeRow = ({ check_id, ...row }: Omit<PlaceRow, "check"> & { check_id: string }): PlaceRow => ({
  check: check_id,
  ...row,
});

/** Reads a round's view: what its pages query. Look-ups are indexed, and synchronous. */
export class RoundView {
  private readonly database: Database.Database;

  constructor(path: string) {
    this.database = new Database(path, { readonly: true, fileMustExist: true });
  }

  close(): void {
    this.database.close();
  }

  tenants({ search, sort, ...window }: TenantQuery): Page<TenantRow> {
    const conditions: Condition[] = search ? [["tenant LIKE ? ESCAPE '\\'", likeText(search)]] : [];
    return this.page("tenant", conditions, TENANT_ORDER[sort], window, tenantRow);
  }

  tenant(name: string): TenantRow | null {
    const row = this.database.prepare("SELECT * FROM tenant WHERE tenant = ?").get(name);
    return row === undefined ? null : tenantRow(row as Raw<TenantRow>);
  }

  decisions(query: DecisionQuery): Page<DecisionRow> {
    const conditions: Condition[] = [];
    if (query.verdict) conditions.push(["verdict = ?", query.verdict]);
    if (query.tenant) conditions.push(["tenant = ?", query.tenant]);
    if (query.reason) conditions.push(["reason = ?", query.reason]);
    if (query.search) conditions.push(["req_id LIKE ? ESCAPE '\\'", likeText(query.search)]);
    if (query.breached !== undefined) conditions.push(["reserve_breached = ?", query.breached ? 1 : 0]);
    const order = `${DECISION_ORDER[query.sort]} ${query.dir === "desc" ? "DESC" : "ASC"}, position`;
    return this.page("decision", conditions, order, query, decisionRow);
  }

  /** The decision of one request. */
  decision(req_id: string): DecisionRow | null {
    const row = this.database.prepare("SELECT * FROM decision WHERE req_id = ?").get(req_id);
    return row === undefined ? null : decisionRow(row as Raw<DecisionRow>);
  }

  groups(source: Source, tenant: string, window: Window): Page<GroupView> {
    return this.page(
      "decided_group",
      [
        ["source = ?", source],
        ["tenant = ?", tenant],
      ],
      "position",
      window,
      groupView,
    );
  }

  /** The group that decided a request, as one side found it; looked for among its tenant's. */
  groupOfRequest(source: Source, tenant: string, req_id: string): GroupView | null {
    const row = this.database
      .prepare(
        "SELECT * FROM decided_group WHERE source = ? AND tenant = ? AND EXISTS (SELECT 1 FROM json_each(req_ids) WHERE value = ?)",
      )
      .get(source, tenant, req_id);
    return row === undefined ? null : groupView(row as Parameters<typeof groupView>[0]);
  }

  /** Groups that broke a reserve, as either side found them, in the order of decision. */
  breaches(window: Window): Page<GroupView> {
    return this.page(
      "decided_group",
      [["reserve_breached = ?", 1]],
      "time_ms, tenant, source, position",
      window,
      groupView,
    );
  }

  /** Groups of a tenant before a place that were debited, the latest first. */
  debitsBefore(source: Source, tenant: string, position: number, limit: number): GroupView[] {
    const conditions: Condition[] = [
      ["source = ?", source],
      ["tenant = ?", tenant],
      ["position < ?", position],
      ["verdict = ?", "accepted"],
    ];
    return this.page("decided_group", conditions, "position DESC", { limit, offset: 0 }, groupView).rows;
  }

  /** A tenant's balance over time as the engine found it, thinned to `points`: refusals and breaches are kept first. */
  balance(name: string, points: number): BalanceSeries | null {
    const tenant = this.tenant(name);
    if (tenant === null) return null;
    const all = this.groups("engine", name, { limit: Number.MAX_SAFE_INTEGER, offset: 0 });
    const step = Math.ceil(all.total / points);
    const kept = all.rows.filter((group, at) => at % step === 0 || (group.reserve_breached && step > 1));
    return { tenant, points: kept, folded: all.total - kept.length };
  }

  places({ section, result, subject, ...window }: PlaceQuery): Page<PlaceRow> {
    const conditions: Condition[] = [];
    if (section) conditions.push(["section = ?", section]);
    if (result === "open") conditions.push(["result IN (?, ?)", "mismatch", "indeterminate"]);
    else if (result !== "all") conditions.push(["result = ?", result]);
    if (subject) conditions.push(["subject = ?", subject]);
    return this.page("place", conditions, "position", window, placeRow);
  }

  placeCounts(): PlaceCount[] {
    return this.database
      .prepare("SELECT section, result, COUNT(*) AS count FROM place GROUP BY section, result")
      .all() as PlaceCount[];
  }

  /** One page of a table under conditions, and how many rows there are in all. */
  private page<Row, Shown>(
    table: string,
    conditions: Condition[],
    order: string,
    { limit, offset }: Window,
    show: (row: Row) => Shown,
  ): Page<Shown> {
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}`;
    const values = conditions.flatMap(([, ...bound]) => bound);
    const { total } = this.database
      .prepare(`SELECT COUNT(*) AS total FROM ${table} ${where}`)
      .get(...values) as {
      total: number;
    };
    const rows = this.database
      .prepare(`SELECT * FROM ${table} ${where} ORDER BY ${order} LIMIT ? OFFSET ?`)
      .all(...values, limit, offset) as Row[];
    return { rows: rows.map(show), total };
  }
}
