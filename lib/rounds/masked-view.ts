import type {
  BalanceSeries,
  DecisionRow,
  GroupView,
  Page,
  PlaceRow,
  TenantRow,
} from "../../contract/round-view.ts";
import type { DecisionQuery, PlaceQuery, RoundView, TenantQuery } from "../store/round-view.ts";
import type { Window } from "../store/view-page.ts";
import { maskDecision, maskGroup, maskPlace, maskTenantRow, NameMask } from "./name-mask.ts";

/** The rows of a round as its pages ask for them: as they are, or with every name masked. */
export type RoundRows = { [method in Exclude<keyof RoundView, "close">]: RoundView[method] };

type Source = GroupView["source"];

/** A text that no name can be: a name has 1 to 256 bytes (§1.4). */
const NOBODY = "";
/** Another, where an empty text would stand for all. */
const NO_NAME = "\0";

const shown = <T>(page: Page<T>, show: (row: T) => T): Page<T> => ({ ...page, rows: page.rows.map(show) });

/**
 * A round's rows with its names masked: names go out masked, and come in masked (a filter, a link to a row). Parts of a
 * name cannot be searched for, since that would tell what is behind a mask: a search finds whole masks only.
 */
export class MaskedView implements RoundRows {
  private readonly view: RoundView;
  private readonly lookups: RoundView;
  private readonly mask: NameMask;
  private readonly tiers: ReadonlySet<string>;
  /** True names by their masks, once somebody asks. */
  private names: ReadonlyMap<string, string> | null = null;

  /**
   * @param key of the link, 64 hex digits
   * @param lookups the same rows over a connection that nobody walks through meanwhile
   */
  constructor(view: RoundView, key: string, lookups: RoundView = view) {
    this.view = view;
    this.lookups = lookups;
    this.mask = new NameMask(key, (req_id) => lookups.decision(req_id)?.position ?? null);
    this.tiers = new Set(lookups.tierNames());
  }

  /** Masks names that are not rows of this view: of a policy, a witness, a stream. */
  get nameMask(): NameMask {
    return this.mask;
  }

  tenants({ limit, offset, ...query }: TenantQuery): Page<TenantRow> {
    const page = this.view.tenants({ ...this.tenantsAsked(query), limit, offset });
    return shown(page, (row) => maskTenantRow(this.mask, row));
  }

  *eachTenant(query: Omit<TenantQuery, keyof Window>): Iterable<TenantRow> {
    for (const row of this.view.eachTenant(this.tenantsAsked(query))) yield maskTenantRow(this.mask, row);
  }

  tenant(masked: string): TenantRow | null {
    const row = this.view.tenant(this.nameOf(masked));
    return row === null ? null : maskTenantRow(this.mask, row);
  }

  tierNames(): string[] {
    return [...this.tiers];
  }

  tenantNames(): string[] {
    return this.view.tenantNames().map((name) => this.mask.tenant(name));
  }

  decisions({ limit, offset, ...query }: DecisionQuery): Page<DecisionRow> {
    const page = this.view.decisions({ ...this.decisionsAsked(query), limit, offset });
    return shown(page, (row) => maskDecision(this.mask, row));
  }

  *eachDecision(query: Omit<DecisionQuery, keyof Window>): Iterable<DecisionRow> {
    for (const row of this.view.eachDecision(this.decisionsAsked(query))) yield maskDecision(this.mask, row);
  }

  decision(masked: string): DecisionRow | null {
    const row = this.view.decision(this.idOf(masked));
    return row === null ? null : maskDecision(this.mask, row);
  }

  decisionAt(position: number): DecisionRow | null {
    const row = this.view.decisionAt(position);
    return row === null ? null : maskDecision(this.mask, row);
  }

  indexOfDecision(query: Omit<DecisionQuery, keyof Window>, row: DecisionRow): number | null {
    return this.view.indexOfDecision(this.decisionsAsked(query), row);
  }

  groups(source: Source, tenant: string, window: Window): Page<GroupView> {
    return shown(this.view.groups(source, this.nameOf(tenant), window), (row) => maskGroup(this.mask, row));
  }

  groupOfRequest(source: Source, tenant: string, req_id: string): GroupView | null {
    const group = this.view.groupOfRequest(source, this.nameOf(tenant), this.idOf(req_id));
    return group === null ? null : maskGroup(this.mask, group);
  }

  *eachGroup(tenant: string): Iterable<GroupView> {
    for (const row of this.view.eachGroup(this.nameOf(tenant))) yield maskGroup(this.mask, row);
  }

  *eachBreach(): Iterable<GroupView> {
    for (const row of this.view.eachBreach()) yield maskGroup(this.mask, row);
  }

  breaches(window: Window): Page<GroupView> {
    return shown(this.view.breaches(window), (row) => maskGroup(this.mask, row));
  }

  debitsBefore(source: Source, tenant: string, position: number, limit: number): GroupView[] {
    return this.view
      .debitsBefore(source, this.nameOf(tenant), position, limit)
      .map((row) => maskGroup(this.mask, row));
  }

  balance(name: string, points: number, source: Source = "engine"): BalanceSeries | null {
    const series = this.view.balance(this.nameOf(name), points, source);
    if (series === null) return null;
    return {
      ...series,
      tenant: maskTenantRow(this.mask, series.tenant),
      points: series.points.map((point) => maskGroup(this.mask, point)),
    };
  }

  places({ limit, offset, ...query }: PlaceQuery): Page<PlaceRow> {
    const page = this.view.places({ ...this.placesAsked(query), limit, offset });
    return shown(page, (row) => maskPlace(this.mask, row, this.tiers));
  }

  *eachPlace(query: Omit<PlaceQuery, keyof Window>): Iterable<PlaceRow> {
    for (const row of this.view.eachPlace(this.placesAsked(query)))
      yield maskPlace(this.mask, row, this.tiers);
  }

  place(position: number): PlaceRow | null {
    const row = this.view.place(position);
    return row === null ? null : maskPlace(this.mask, row, this.tiers);
  }

  indexOfPlace(query: Omit<PlaceQuery, keyof Window>, position: number): number | null {
    return this.view.indexOfPlace(this.placesAsked(query), position);
  }

  placeCounts(): ReturnType<RoundView["placeCounts"]> {
    return this.view.placeCounts();
  }

  private tenantsAsked({ search, ...query }: Omit<TenantQuery, keyof Window>) {
    return search ? { ...query, names: [this.nameOf(search)] } : query;
  }

  private decisionsAsked({ search, tenant, ...query }: Omit<DecisionQuery, keyof Window>) {
    return {
      ...query,
      ...(tenant ? { tenant: this.nameOf(tenant) || NO_NAME } : {}),
      ...(search ? { req_id: this.idOf(search) } : {}),
    };
  }

  private placesAsked({ subject, ...query }: Omit<PlaceQuery, keyof Window>) {
    return subject ? { ...query, subject: this.nameOf(subject) || this.idOf(subject) || NO_NAME } : query;
  }

  private nameOf(masked: string): string {
    this.names ??= new Map(this.lookups.tenantNames().map((name) => [this.mask.tenant(name), name]));
    return this.names.get(masked) ?? NOBODY;
  }

  private idOf(masked: string): string {
    const position = this.mask.position(masked);
    return position === null ? NOBODY : (this.lookups.decisionAt(position)?.req_id ?? NOBODY);
  }
}
