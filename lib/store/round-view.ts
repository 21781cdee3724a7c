import { CHECK_RESULTS } from "../../contract/health.ts";
import {
  type BalanceSeries,
  type DecisionRow,
  type GroupView,
  type Page,
  PLACE_SECTIONS,
  type PlaceCount,
  type PlaceRow,
  type TenantRow,
} from "../../contract/round-view.ts";
import type { QueryEngine, RawRow } from "./query-engine.ts";
import { readBalances } from "./view-balances.ts";
import { MEMBERS_KEPT, SOURCES, type ViewFiles } from "./view-format.ts";
import { isKept, type KeptOrder, positionsOf, ranksOf } from "./view-orders.ts";
import type { Window } from "./view-page.ts";
import {
  DECISION_KEY,
  type DecisionQuery,
  decisionsWhere,
  type Filter,
  type PlaceQuery,
  placesWhere,
  type TenantQuery,
  tenantsWhere,
} from "./view-query.ts";
import { showDecision, showGroup, showPlace, showTenant } from "./view-rows.ts";
import { type Condition, MOST_KEYS, marks, type Selection, ViewSelections } from "./view-selection.ts";
import { ViewTenants } from "./view-tenants.ts";

type Source = GroupView["source"];

/** Rows of tenants remembered of one view. */
const TENANTS_KEPT = 1000;

/** Rows one by one; each piece is shown at once. */
async function* shownOneByOne<Row>(
  pieces: AsyncIterable<RawRow[]>,
  show: (rows: RawRow[]) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for await (const piece of pieces) yield* await show(piece);
}

/** Reads a round's view: what its pages query. */
export class RoundView {
  private readonly files: ViewFiles;
  private readonly selections: ViewSelections;
  private readonly names: ViewTenants;
  private readonly tenantRows = new Map<string, TenantRow>();

  constructor(engine: QueryEngine, files: ViewFiles) {
    this.files = files;
    this.selections = new ViewSelections(engine);
    this.names = new ViewTenants(engine, files.tenants);
  }

  async tenants(query: TenantQuery): Promise<Page<TenantRow>> {
    const selection = tenantsWhere(this.files.tenants, query);
    const rows = await this.selections.rows(selection, query);
    return { rows: this.showTenants(rows), total: await this.selections.count(selection) };
  }

  async *eachTenant(query: Filter<TenantQuery>): AsyncGenerator<TenantRow> {
    for await (const piece of this.selections.walk(tenantsWhere(this.files.tenants, query)))
      yield* this.showTenants(piece);
  }

  async tenant(name: string): Promise<TenantRow | null> {
    const known = this.tenantRows.get(name);
    if (known !== undefined) return known;
    const conditions: Condition[] = [["tier IS NOT NULL"], ["name = ?", name]];
    const [row] = await this.selections.rows({ file: this.files.tenants, conditions });
    return row === undefined ? null : this.showTenants([row])[0]!;
  }

  /** Every tenant that occurs: those with a bucket, and those that are not served (§3.6). */
  tenantNames(): Promise<string[]> {
    return this.names.all();
  }

  /** Whether a tenant's name has anything but visible ASCII, or blanks that a page would not draw as they are. */
  hasOddNames(): Promise<boolean> {
    return this.names.hasOdd();
  }

  /** The tiers that have a bucket. */
  async tierNames(): Promise<string[]> {
    const served = { file: this.files.tenants, conditions: [["tier IS NOT NULL"] as Condition] };
    const rows = await this.selections.rows<{ tier: string }>(
      { ...served, grouped: true },
      undefined,
      "tier",
    );
    return rows.map(({ tier }) => tier);
  }

  async decisions(query: DecisionQuery): Promise<Page<DecisionRow>> {
    const selection = await this.decisionsWhere(query);
    const narrow =
      query.search || query.tenant ? await this.selections.narrowPage(selection, "position", query) : null;
    if (narrow !== null) return { rows: await this.showDecisions(narrow.rows), total: narrow.total };
    const total = await this.selections.count(selection);
    return { rows: await this.showDecisions(await this.decisionWindow(selection, query, total)), total };
  }

  async *eachDecision(query: Filter<DecisionQuery>): AsyncGenerator<DecisionRow> {
    const selection = await this.decisionsWhere(query);
    yield* shownOneByOne(this.selections.walk(selection), (rows) => this.showDecisions(rows));
  }

  /** Where a request stands among those of a query; null where it is not one of them. */
  async indexOfDecision(query: Filter<DecisionQuery>, row: DecisionRow): Promise<number | null> {
    const selection = await this.decisionsWhere(query);
    // Whole and in an order that the row itself knows: nothing needs to be counted.
    if (selection.conditions.length === 0 && query.dir !== "desc") {
      if (query.sort === "dispatch") return row.position;
      if (query.sort === "file") return row.file_position;
    }
    const key = DECISION_KEY[query.sort];
    const before = query.dir === "desc" ? ">" : "<";
    const value = row[key];
    const isBefore: Condition =
      value === null
        ? [`(${key} IS NOT NULL OR position ${before} ?)`, row.position]
        : [`(${key} ${before} ? OR (${key} = ? AND position ${before} ?))`, value, value, row.position];
    return this.indexAmong(selection, row.position, isBefore);
  }

  /** The decision of one request. */
  async decision(req_id: string): Promise<DecisionRow | null> {
    return this.oneDecision(["req_id = ?", req_id]);
  }

  /** The decision at a place, from 0. */
  async decisionAt(position: number): Promise<DecisionRow | null> {
    return this.oneDecision(["position = ?", position]);
  }

  /** The places of some requests; those that are not there are left out. */
  async positionsOf(req_ids: readonly string[]): Promise<Map<string, number>> {
    if (req_ids.length === 0) return new Map();
    const asked = [...new Set(req_ids)];
    const rows = await this.selections.rows<{ req_id: string; position: number }>(
      { file: this.files.decisions, conditions: [[`req_id IN (${marks(asked)})`, ...asked]] },
      undefined,
      "req_id, position",
    );
    return new Map(rows.map(({ req_id, position }) => [req_id, position]));
  }

  async groups(source: Source, tenant: string, window: Window): Promise<Page<GroupView>> {
    const selection = await this.groupsWhere(source, tenant);
    const rows = await this.selections.rows(selection, window);
    return { rows: await this.showGroups(rows), total: await this.selections.count(selection) };
  }

  /**
   * The group that decided a request, as one side found it; null where that side has none (§3.6). Only the first ids of
   * a group are kept. But a group's time is the latest of its tenant's that does not follow the arrival, and groups of
   * one tenant and one time are either one, or single requests (§3.1): so a group of more ids than are kept is the one.
   */
  async groupOfRequest(
    source: Source,
    { tenant, req_id, arrival_ms }: DecisionRow,
  ): Promise<GroupView | null> {
    const before = await this.groupsWhere(source, tenant, ["time_ms <= ?", arrival_ms]);
    const [latest] = await this.selections.rows<{ time_ms: number | null }>(
      { file: before.file, conditions: before.conditions },
      undefined,
      "max(time_ms) AS time_ms",
    );
    if (latest === undefined || latest.time_ms === null) return null;
    const atOnce = await this.groupsWhere(
      source,
      tenant,
      ["time_ms = ?", latest.time_ms],
      ["(members > ? OR list_contains(from_json(req_ids, '[\"VARCHAR\"]'), ?))", MEMBERS_KEPT, req_id],
    );
    const [group] = await this.showGroups(await this.selections.rows(atOnce, { limit: 1, offset: 0 }));
    return group ?? null;
  }

  /** Groups that broke a reserve, as either side found them, in the order of time. */
  async breaches(window: Window): Promise<Page<GroupView>> {
    const rows = await this.selections.rows(this.broken, window);
    return { rows: await this.showGroups(rows), total: await this.selections.count(this.broken) };
  }

  /** How many groups of a tenant broke its reserve, as one side found it. */
  async breachCount(source: Source, tenant: string): Promise<number> {
    return this.selections.count(await this.groupsWhere(source, tenant, ["reserve_breached = 1"]));
  }

  eachBreach(): AsyncGenerator<GroupView> {
    return shownOneByOne(this.selections.walk(this.broken), (rows) => this.showGroups(rows));
  }

  /** Groups of a tenant as both sides decided them, the engine's first. */
  async *eachGroup(tenant: string): AsyncGenerator<GroupView> {
    for (const source of SOURCES) {
      const walk = this.selections.walk(await this.groupsWhere(source, tenant));
      yield* shownOneByOne(walk, (rows) => this.showGroups(rows));
    }
  }

  /** Groups of a tenant before a place that were debited, the latest first. */
  async debitsBefore(source: Source, tenant: string, position: number, limit: number): Promise<GroupView[]> {
    const selection = await this.groupsWhere(source, tenant, ["position < ?", position], ["step IN (1, 2)"]);
    const latest = { ...selection, order: "position DESC" };
    return this.showGroups(await this.selections.rows(latest, { limit, offset: 0 }));
  }

  /**
   * Tenants' balances over time as one side found them, each thinned to `points` groups and saying how many were left
   * out; of the names that have a bucket, in their order.
   */
  async balances(
    names: readonly string[],
    points: number,
    source: Source = "engine",
  ): Promise<BalanceSeries[]> {
    const tenants = (await Promise.all(names.map((name) => this.tenant(name)))).filter((row) => row !== null);
    const numbers = await Promise.all(tenants.map(({ tenant }) => this.names.numberOf(tenant)));
    const balances = await readBalances(this.selections, this.files.groups, numbers, source, points);
    return tenants.map((tenant, at) => ({
      tenant,
      ...(balances.get(numbers[at]!) ?? { points: [], folded: 0 }),
    }));
  }

  async places(query: PlaceQuery): Promise<Page<PlaceRow>> {
    const selection = placesWhere(this.files.places, query);
    const total = await this.selections.count(selection);
    return { rows: (await this.placeWindow(selection, query, total)).map(showPlace), total };
  }

  /** Where a place stands among those of a query; null where it is not one of them. */
  async indexOfPlace(query: Filter<PlaceQuery>, position: number): Promise<number | null> {
    const key = query.result === "open" ? "worst" : "position";
    const conditions: Condition[] = [["position = ?", position]];
    const [place] = await this.selections.rows({ file: this.files.places, conditions }, undefined, key);
    if (place === undefined) return null;
    return this.indexAmong(placesWhere(this.files.places, query), position, [
      `${key} < ?`,
      place[key] as number,
    ]);
  }

  async place(position: number): Promise<PlaceRow | null> {
    const conditions: Condition[] = [["position = ?", position]];
    const [row] = await this.selections.rows({ file: this.files.places, conditions });
    return row === undefined ? null : showPlace(row);
  }

  async *eachPlace(query: Filter<PlaceQuery>): AsyncGenerator<PlaceRow> {
    for await (const piece of this.selections.walk(placesWhere(this.files.places, query)))
      yield* piece.map(showPlace);
  }

  async placeCounts(): Promise<PlaceCount[]> {
    const rows = await this.selections.rows<{ section: number; result: number; count: number }>(
      { file: this.files.places, conditions: [], order: "section, result", grouped: true },
      undefined,
      "section, result, count(*)::DOUBLE AS count",
    );
    return rows.map(({ section, result, count }) => ({
      section: PLACE_SECTIONS[section]!,
      result: CHECK_RESULTS[result]!,
      count,
    }));
  }

  private async decisionsWhere(query: Filter<DecisionQuery>): Promise<Selection> {
    const tenant = query.tenant ? await this.names.numberOf(query.tenant) : null;
    return decisionsWhere(this.files.decisions, query, tenant);
  }

  private get broken(): Selection {
    return {
      file: this.files.groups,
      conditions: [["reserve_breached = 1"]],
      order: "time_ms, tenant, source, position",
    };
  }

  private async groupsWhere(source: Source, tenant: string, ...more: Condition[]): Promise<Selection> {
    const number = await this.names.numberOf(tenant);
    return {
      file: this.files.groups,
      conditions: [["tenant = ?", number], ["source = ?", SOURCES.indexOf(source)], ...more],
      order: "position",
    };
  }

  /**
   * A window of decisions. Where nothing is left out, both orders that number every row from 0 are ranges of that number;
   * should they not be (a report that was made elsewhere may leave one out), the range has fewer rows than it must.
   */
  private async decisionWindow(
    selection: Selection,
    { sort, dir, limit, offset }: DecisionQuery,
    total: number,
  ): Promise<RawRow[]> {
    const key = DECISION_KEY[sort];
    const count = Math.max(0, Math.min(limit, total - offset));
    if (selection.conditions.length === 0 && (sort === "dispatch" || sort === "file")) {
      const first = dir === "desc" ? total - offset - count : offset;
      const rows = await this.selections.range(selection, key, first, count);
      if (rows.length === count) return rows;
    }
    if (selection.conditions.length === 0 && isKept(sort) && count <= MOST_KEYS)
      return this.keptWindow(selection, sort, { dir, limit: count, offset }, total);
    return this.selections.window(selection, "position", { limit, offset });
  }

  /** A window of all decisions in an order that is kept: first which they are, then these whole. */
  private async keptWindow(
    selection: Selection,
    sort: KeptOrder,
    { dir, ...window }: Window & Pick<DecisionQuery, "dir">,
    total: number,
  ): Promise<RawRow[]> {
    // Only a wait may have no value.
    const valued =
      sort === "wait" && dir === "desc"
        ? await this.selections.count({ file: selection.file, conditions: [["wait_ms IS NOT NULL"]] })
        : total;
    const stretches = ranksOf(dir, window, total, valued);
    const found = await Promise.all(
      stretches.map((stretch) => positionsOf(this.selections, this.files.orders, sort, stretch)),
    );
    return this.selections.byKeys(selection, "position", found.flat());
  }

  /** A window of the diff. What differs is numbered from 0, so the first pages of it are a range. */
  private async placeWindow(
    selection: Selection,
    { limit, offset, section, result, subject }: PlaceQuery,
    total: number,
  ): Promise<RawRow[]> {
    if (result !== "open" || section || subject)
      return this.selections.window(selection, "position", { limit, offset });
    return this.selections.range(selection, "worst", offset, Math.max(0, Math.min(limit, total - offset)));
  }

  /** How many selected rows are before one of the position; null where it is not selected itself. */
  private async indexAmong(
    { file, conditions }: Selection,
    position: number,
    isBefore: Condition,
  ): Promise<number | null> {
    const isIn = await this.selections.count({
      file,
      conditions: [...conditions, ["position = ?", position]],
    });
    return isIn === 0 ? null : this.selections.count({ file, conditions: [...conditions, isBefore] });
  }

  private async oneDecision(condition: Condition): Promise<DecisionRow | null> {
    const rows = await this.selections.rows({ file: this.files.decisions, conditions: [condition] });
    return (await this.showDecisions(rows))[0] ?? null;
  }

  private showTenants(rows: RawRow[]): TenantRow[] {
    const shown = rows.map((row) => showTenant(row, row.name as string));
    for (const { tenant, name } of rows) this.names.keep(tenant as number, name as string);
    // A page that lists tenants asks for each of them again.
    for (const row of shown.slice(0, TENANTS_KEPT)) this.tenantRows.set(row.tenant, row);
    for (const [oldest] of this.tenantRows) {
      if (this.tenantRows.size <= TENANTS_KEPT) break;
      this.tenantRows.delete(oldest);
    }
    return shown;
  }

  private async showDecisions(rows: RawRow[]): Promise<DecisionRow[]> {
    const nameOf = await this.names.namesOf(rows.map(({ tenant }) => tenant as number));
    return rows.map((row) => showDecision(row, nameOf(row.tenant as number)));
  }

  private async showGroups(rows: RawRow[]): Promise<GroupView[]> {
    const nameOf = await this.names.namesOf(rows.map(({ tenant }) => tenant as number));
    return rows.map((row) => showGroup(row, nameOf(row.tenant as number)));
  }
}
