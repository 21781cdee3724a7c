import type {
  BalanceSeries,
  DecisionRow,
  GroupView,
  Page,
  PlaceCount,
  PlaceRow,
  TenantRow,
} from "../../../contract/round-view.ts";
import type { RoundView } from "../../store/round-view.ts";
import type { Window } from "../../store/view-page.ts";
import type { DecisionQuery, PlaceQuery, TenantQuery } from "../../store/view-query.ts";
import {
  maskDecision,
  maskGroup,
  maskPlace,
  maskTenantRow,
  NameMask,
  type PositionOf,
  requestsIn,
} from "./name-mask.ts";

/** The rows of a round as its pages ask for them: as they are, or with every name masked. */
export type RoundRows = { [method in Exclude<keyof RoundView, "positionsOf">]: RoundView[method] };

type Source = GroupView["source"];

/** A text that no name can be: a name has 1 to 256 bytes (§1.4). */
const NOBODY = "";
/** Another, where an empty text would stand for all. */
const NO_NAME = "\0";
/** Rows masked at once: looking for the places of many requests takes hardly longer than for those of one. */
const BATCH = 2000;

/** Rows in pieces of some length. */
async function* batches<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * A round's rows with its names masked: names go out masked, and come in masked (a filter, a link to a row). Parts of a
 * name cannot be searched for, since that would tell what is behind a mask: a search finds whole masks only.
 */
export class MaskedView implements RoundRows {
  private readonly view: RoundView;
  /** Masks names that are not rows of this view: of a policy, a witness, a stream. */
  readonly nameMask: NameMask;
  /** True names by their masks, once somebody asks. */
  private names: Promise<ReadonlyMap<string, string>> | null = null;
  private tiers: Promise<ReadonlySet<string>> | null = null;

  /** @param key of the link, 64 hex digits */
  constructor(view: RoundView, key: string) {
    this.view = view;
    this.nameMask = new NameMask(key);
  }

  async tenants({ limit, offset, ...query }: TenantQuery): Promise<Page<TenantRow>> {
    const { rows, total } = await this.view.tenants({ ...(await this.tenantsAsked(query)), limit, offset });
    return { rows: rows.map((row) => maskTenantRow(this.nameMask, row)), total };
  }

  async *eachTenant(query: Omit<TenantQuery, keyof Window>): AsyncGenerator<TenantRow> {
    for await (const row of this.view.eachTenant(await this.tenantsAsked(query)))
      yield maskTenantRow(this.nameMask, row);
  }

  async tenant(masked: string): Promise<TenantRow | null> {
    const row = await this.view.tenant(await this.nameOf(masked));
    return row === null ? null : maskTenantRow(this.nameMask, row);
  }

  tierNames(): Promise<string[]> {
    return this.view.tierNames();
  }

  async tenantNames(): Promise<string[]> {
    return (await this.view.tenantNames()).map((name) => this.nameMask.tenant(name));
  }

  /** Masks are plain. */
  async hasOddNames(): Promise<boolean> {
    return false;
  }

  async decisions({ limit, offset, ...query }: DecisionQuery): Promise<Page<DecisionRow>> {
    const page = await this.view.decisions({ ...(await this.decisionsAsked(query)), limit, offset });
    return { ...page, rows: page.rows.map((row) => maskDecision(this.nameMask, row)) };
  }

  async *eachDecision(query: Omit<DecisionQuery, keyof Window>): AsyncGenerator<DecisionRow> {
    for await (const row of this.view.eachDecision(await this.decisionsAsked(query)))
      yield maskDecision(this.nameMask, row);
  }

  async decision(masked: string): Promise<DecisionRow | null> {
    const position = this.nameMask.position(masked);
    return position === null ? null : this.decisionAt(position);
  }

  async decisionAt(position: number): Promise<DecisionRow | null> {
    const row = await this.view.decisionAt(position);
    return row === null ? null : maskDecision(this.nameMask, row);
  }

  async indexOfDecision(query: Omit<DecisionQuery, keyof Window>, row: DecisionRow): Promise<number | null> {
    return this.view.indexOfDecision(await this.decisionsAsked(query), row);
  }

  async groups(source: Source, tenant: string, window: Window): Promise<Page<GroupView>> {
    const { rows, total } = await this.view.groups(source, await this.nameOf(tenant), window);
    return { rows: await this.maskGroups(rows), total };
  }

  async groupOfRequest(source: Source, { position }: DecisionRow): Promise<GroupView | null> {
    const decision = await this.view.decisionAt(position);
    const group = decision === null ? null : await this.view.groupOfRequest(source, decision);
    return group === null ? null : (await this.maskGroups([group]))[0]!;
  }

  async *eachGroup(tenant: string): AsyncGenerator<GroupView> {
    const groups = this.view.eachGroup(await this.nameOf(tenant));
    for await (const batch of batches(groups)) yield* await this.maskGroups(batch);
  }

  async *eachBreach(): AsyncGenerator<GroupView> {
    for await (const batch of batches(this.view.eachBreach())) yield* await this.maskGroups(batch);
  }

  async breachCount(source: Source, tenant: string): Promise<number> {
    return this.view.breachCount(source, await this.nameOf(tenant));
  }

  async breaches(window: Window): Promise<Page<GroupView>> {
    const { rows, total } = await this.view.breaches(window);
    return { rows: await this.maskGroups(rows), total };
  }

  async debitsBefore(source: Source, tenant: string, position: number, limit: number): Promise<GroupView[]> {
    return this.maskGroups(await this.view.debitsBefore(source, await this.nameOf(tenant), position, limit));
  }

  async balances(
    masked: readonly string[],
    points: number,
    source: Source = "engine",
  ): Promise<BalanceSeries[]> {
    const names = await Promise.all(masked.map((name) => this.nameOf(name)));
    const balances = await this.view.balances(names, points, source);
    return balances.map((series) => ({ ...series, tenant: maskTenantRow(this.nameMask, series.tenant) }));
  }

  async places({ limit, offset, ...query }: PlaceQuery): Promise<Page<PlaceRow>> {
    const { rows, total } = await this.view.places({ ...(await this.placesAsked(query)), limit, offset });
    return { rows: await this.maskPlaces(rows), total };
  }

  async *eachPlace(query: Omit<PlaceQuery, keyof Window>): AsyncGenerator<PlaceRow> {
    const places = this.view.eachPlace(await this.placesAsked(query));
    for await (const batch of batches(places)) yield* await this.maskPlaces(batch);
  }

  async place(position: number): Promise<PlaceRow | null> {
    const row = await this.view.place(position);
    return row === null ? null : (await this.maskPlaces([row]))[0]!;
  }

  async indexOfPlace(query: Omit<PlaceQuery, keyof Window>, position: number): Promise<number | null> {
    return this.view.indexOfPlace(await this.placesAsked(query), position);
  }

  placeCounts(): Promise<PlaceCount[]> {
    return this.view.placeCounts();
  }

  private async maskGroups(groups: GroupView[]): Promise<GroupView[]> {
    const positionOf = await this.positionsOf(groups.flatMap(({ req_ids }) => req_ids));
    return groups.map((group) => maskGroup(this.nameMask, group, positionOf));
  }

  private async maskPlaces(places: PlaceRow[]): Promise<PlaceRow[]> {
    this.tiers ??= this.view.tierNames().then((names) => new Set(names));
    const tiers = await this.tiers;
    const positionOf = await this.positionsOf(places.flatMap(requestsIn));
    return places.map((place) => maskPlace(this.nameMask, place, tiers, positionOf));
  }

  private async positionsOf(req_ids: string[]): Promise<PositionOf> {
    const positions = await this.view.positionsOf(req_ids);
    return (req_id) => positions.get(req_id) ?? null;
  }

  private async tenantsAsked({ search, ...query }: Omit<TenantQuery, keyof Window>) {
    return search ? { ...query, names: [await this.nameOf(search)] } : query;
  }

  private async decisionsAsked({ search, tenant, ...query }: Omit<DecisionQuery, keyof Window>) {
    return {
      ...query,
      ...(tenant ? { tenant: (await this.nameOf(tenant)) || NO_NAME } : {}),
      ...(search ? { req_id: await this.idOf(search) } : {}),
    };
  }

  private async placesAsked({ subject, ...query }: Omit<PlaceQuery, keyof Window>) {
    if (!subject) return query;
    return { ...query, subject: (await this.nameOf(subject)) || (await this.idOf(subject)) || NO_NAME };
  }

  private async nameOf(masked: string): Promise<string> {
    this.names ??= this.view
      .tenantNames()
      .then((names) => new Map(names.map((name) => [this.nameMask.tenant(name), name])));
    return (await this.names).get(masked) ?? NOBODY;
  }

  private async idOf(masked: string): Promise<string> {
    const position = this.nameMask.position(masked);
    return position === null ? NOBODY : ((await this.view.decisionAt(position))?.req_id ?? NOBODY);
  }
}
