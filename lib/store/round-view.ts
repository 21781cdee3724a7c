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
import { type GroupKind, thinGroups } from "./thin-groups.ts";
import { type Condition, type Selection, ViewPages, type Window } from "./view-page.ts";
import { MEMBERS_KEPT, OPEN_PLACE, SOURCES, WORST_PLACE } from "./view-schema.ts";

type Source = GroupView["source"];
type Raw<Row> = { [field in keyof Row]: Row[field] extends boolean ? number : Row[field] };

export interface DecisionQuery extends Window {
  verdict?: string | undefined;
  tenant?: string | undefined;
  reason?: string | undefined;
  /** Part of a req_id. */
  search?: string | undefined;
  /** A whole req_id. */
  req_id?: string | undefined;
  breached?: boolean | undefined;
  sort: "dispatch" | "file" | "arrival" | "wait";
  dir: "asc" | "desc";
}
export interface TenantQuery extends Window {
  search?: string | undefined;
  /** Only these. */
  names?: readonly string[] | undefined;
  sort: "worst" | "name" | "used" | "utilisation" | "rejected" | "breaches";
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
  utilisation: "used / capacity DESC, tenant",
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
type RawGroup = Omit<Raw<GroupView>, "req_ids" | "source"> & { req_ids: string; source: number };
const groupView = (row: RawGroup): GroupView => ({
  ...row,
  source: SOURCES[row.source]!,
  reserve_breached: row.reserve_breached === 1,
  req_ids: JSON.parse(row.req_ids),
});
const placeRow = ({ check_id, ...row }: Omit<PlaceRow, "check"> & { check_id: string }): PlaceRow => ({
  check: check_id,
  ...row,
  // A view that was written before mismatches were classed has no such column.
  noise: row.noise ?? null,
});

/** What a group tells (§3.4), by its step: 2 borrows, marked or not; 3, 4 and 6 refuse. */
const kindOf = (step: number, breached: number): GroupKind =>
  breached === 1 || step === 2 ? "breach" : step === 1 || step === 5 ? "other" : "refusal";

const groupsWhere = (
  source: Source,
  tenant: string,
  ...more: Condition[]
): Selection<RawGroup, GroupView> => ({
  table: "decided_group",
  conditions: [["tenant = ?", tenant], ["source = ?", SOURCES.indexOf(source)], ...more],
  order: "position",
  show: groupView,
});

const BREACHES: Selection<RawGroup, GroupView> = {
  table: "decided_group",
  // A constant, not a parameter: only so does the index of breaches serve.
  conditions: [["reserve_breached = 1"]],
  order: "time_ms, tenant, source, position",
  show: groupView,
};

function tenantsWhere({ search, names, sort }: Omit<TenantQuery, keyof Window>) {
  const conditions: Condition[] = search ? [["tenant LIKE ? ESCAPE '\\'", likeText(search)]] : [];
  if (names) conditions.push(["tenant IN (SELECT value FROM json_each(?))", JSON.stringify(names)]);
  return { table: "tenant", conditions, order: TENANT_ORDER[sort], show: tenantRow };
}

function decisionsWhere(query: Omit<DecisionQuery, keyof Window>) {
  const conditions: Condition[] = [];
  // A tenant has few requests; a plus sign keeps what has many from choosing the index.
  const plus = query.tenant ? "+" : "";
  if (query.verdict) conditions.push([`${plus}verdict = ?`, query.verdict]);
  if (query.tenant) conditions.push(["tenant = ?", query.tenant]);
  if (query.reason) conditions.push([`${plus}reason = ?`, query.reason]);
  if (query.req_id !== undefined) conditions.push(["req_id = ?", query.req_id]);
  if (query.search) conditions.push(["req_id LIKE ? ESCAPE '\\'", likeText(query.search)]);
  if (query.breached !== undefined) conditions.push(["reserve_breached = ?", query.breached ? 1 : 0]);
  // The same direction for both, so that an index serves the order; what has no wait comes last either way.
  const dir = query.dir === "desc" ? "DESC" : "ASC";
  const order = `${DECISION_ORDER[query.sort]} ${dir} NULLS LAST, position ${dir}`;
  return { table: "decision", conditions, order, show: decisionRow };
}

function placesWhere({ section, result, subject }: Omit<PlaceQuery, keyof Window>) {
  const conditions: Condition[] = [];
  // A plus sign: this column is not to choose the index.
  if (section) conditions.push([result === "open" ? "+section = ?" : "section = ?", section]);
  if (result === "open") conditions.push([OPEN_PLACE]);
  else if (result !== "all") conditions.push(["result = ?", result]);
  if (subject) conditions.push(["subject = ?", subject]);
  return { table: "place", conditions, order: result === "open" ? WORST_PLACE : "position", show: placeRow };
}

/** Reads a round's view: what its pages query. Look-ups are indexed, and synchronous. */
export class RoundView {
  private readonly database: Database.Database;
  private readonly pages: ViewPages;

  constructor(path: string) {
    this.database = new Database(path, { readonly: true, fileMustExist: true });
    this.pages = new ViewPages(this.database);
  }

  close(): void {
    this.database.close();
  }

  tenants(query: TenantQuery): Page<TenantRow> {
    return this.pages.page(tenantsWhere(query), query);
  }

  eachTenant(query: Omit<TenantQuery, keyof Window>): Iterable<TenantRow> {
    return this.pages.each(tenantsWhere(query));
  }

  tenant(name: string): TenantRow | null {
    const row = this.database.prepare("SELECT * FROM tenant WHERE tenant = ?").get(name);
    return row === undefined ? null : tenantRow(row as Raw<TenantRow>);
  }

  /** Every tenant that occurs: those with a bucket, and those that are not served (§3.6). An index is skipped through. */
  tenantNames(): string[] {
    return this.database
      .prepare(
        `WITH RECURSIVE served(name) AS (
           SELECT MIN(tenant) FROM decision
           UNION ALL
           SELECT (SELECT MIN(tenant) FROM decision WHERE tenant > name) FROM served WHERE name IS NOT NULL
         )
         SELECT tenant FROM tenant UNION SELECT name FROM served WHERE name IS NOT NULL`,
      )
      .pluck()
      .all() as string[];
  }

  /** The tiers that have a bucket. */
  tierNames(): string[] {
    return this.database.prepare("SELECT DISTINCT tier FROM tenant").pluck().all() as string[];
  }

  decisions(query: DecisionQuery): Page<DecisionRow> {
    return this.pages.page(decisionsWhere(query), query);
  }

  eachDecision(query: Omit<DecisionQuery, keyof Window>): Iterable<DecisionRow> {
    return this.pages.each(decisionsWhere(query));
  }

  /** Where a request stands among those of a query; null where it is not one of them. */
  indexOfDecision(query: Omit<DecisionQuery, keyof Window>, row: DecisionRow): number | null {
    const selection = decisionsWhere(query);
    // Whole and in an order that the row itself knows: nothing needs to be counted.
    if (selection.conditions.length === 0 && query.dir !== "desc") {
      if (query.sort === "dispatch") return row.position;
      if (query.sort === "file") return row.file_position;
    }
    return this.pages.indexOf(selection, row.position);
  }

  /** The decision of one request. */
  decision(req_id: string): DecisionRow | null {
    const row = this.database.prepare("SELECT * FROM decision WHERE req_id = ?").get(req_id);
    return row === undefined ? null : decisionRow(row as Raw<DecisionRow>);
  }

  /** The decision at a place, from 0. */
  decisionAt(position: number): DecisionRow | null {
    const row = this.database.prepare("SELECT * FROM decision WHERE position = ?").get(position);
    return row === undefined ? null : decisionRow(row as Raw<DecisionRow>);
  }

  groups(source: Source, tenant: string, window: Window): Page<GroupView> {
    return this.pages.page(groupsWhere(source, tenant), window);
  }

  /**
   * The group that decided a request, as one side found it; null where that side has none (§3.6). Only the first ids of
   * a group are kept. But a group's time is the latest of its tenant's that does not follow the arrival, and groups of
   * one tenant and one time are either one, or single requests (§3.1): so a group of more ids than are kept is the one.
   */
  groupOfRequest(source: Source, tenant: string, req_id: string): GroupView | null {
    const decision = this.decision(req_id);
    if (decision === null || decision.tenant !== tenant) return null;
    const side = SOURCES.indexOf(source);
    const row = this.database
      .prepare(
        `SELECT * FROM decided_group WHERE tenant = ? AND source = ? AND time_ms =
           (SELECT MAX(time_ms) FROM decided_group WHERE tenant = ? AND source = ? AND time_ms <= ?)
         AND (members > ? OR EXISTS (SELECT 1 FROM json_each(req_ids) WHERE value = ?))`,
      )
      .get(tenant, side, tenant, side, decision.arrival_ms, MEMBERS_KEPT, req_id);
    return row === undefined ? null : groupView(row as RawGroup);
  }

  /** Groups that broke a reserve, as either side found them, in the order of time. */
  breaches(window: Window): Page<GroupView> {
    return this.pages.page(BREACHES, window);
  }

  eachBreach(): Iterable<GroupView> {
    return this.pages.each(BREACHES);
  }

  /** Groups of a tenant as both sides decided them, the engine's first. */
  *eachGroup(tenant: string): Iterable<GroupView> {
    for (const source of SOURCES) yield* this.pages.each(groupsWhere(source, tenant));
  }

  /** Groups of a tenant before a place that were debited, the latest first. */
  debitsBefore(source: Source, tenant: string, position: number, limit: number): GroupView[] {
    const selection = groupsWhere(source, tenant, ["position < ?", position], ["step IN (1, 2)"]);
    return this.pages.rows({ ...selection, order: "position DESC" }, { limit, offset: 0 });
  }

  /** A tenant's balance over time as one side found it, thinned to `points` groups; says how many were left out. */
  balance(name: string, points: number, source: Source = "engine"): BalanceSeries | null {
    const tenant = this.tenant(name);
    if (tenant === null) return null;
    const all = this.database
      .prepare(
        "SELECT rowid, step, reserve_breached FROM decided_group WHERE tenant = ? AND source = ? ORDER BY position",
      )
      .raw()
      .all(name, SOURCES.indexOf(source)) as [number, number, number][];
    const kept = thinGroups(
      all.map(([rowid, step, breached]) => ({ rowid, kind: kindOf(step, breached) })),
      points,
    );
    const rows = this.database
      .prepare(
        "SELECT * FROM decided_group WHERE rowid IN (SELECT value FROM json_each(?)) ORDER BY position",
      )
      .all(JSON.stringify(kept.map(({ rowid }) => rowid))) as RawGroup[];
    return { tenant, points: rows.map(groupView), folded: all.length - kept.length };
  }

  places(query: PlaceQuery): Page<PlaceRow> {
    return this.pages.page(placesWhere(query), query);
  }

  /** Where a place stands among those of a query; null where it is not one of them. */
  indexOfPlace(query: Omit<PlaceQuery, keyof Window>, position: number): number | null {
    return this.pages.indexOf(placesWhere(query), position);
  }

  place(position: number): PlaceRow | null {
    const row = this.database.prepare("SELECT * FROM place WHERE position = ?").get(position);
    return row === undefined ? null : placeRow(row as Parameters<typeof placeRow>[0]);
  }

  eachPlace(query: Omit<PlaceQuery, keyof Window>): Iterable<PlaceRow> {
    return this.pages.each(placesWhere(query));
  }

  placeCounts(): PlaceCount[] {
    return this.database
      .prepare("SELECT section, result, COUNT(*) AS count FROM place GROUP BY section, result")
      .all() as PlaceCount[];
  }
}
