import type { Tenant } from "../../contract/policy.ts";
import { type Amounts, amountsOf, type Evidence } from "./evidence.ts";
import { type Exact, exactSum } from "./exact.ts";
import type { ReportedRows } from "./reported-rows.ts";

/** Places that a group has room for at first. */
const FIRST_PLACES = 16;
/** Stands for a place that is not there. */
const NONE = -1;

/** A tenant that has a bucket. */
export interface ServedTenant {
  /** Among the names of the stream. */
  number: number;
  name: string;
  tenant: Tenant;
  amounts: Amounts;
  isGuaranteed: boolean;
}

/** A group as the inputs make it (§3.1), with the places of what the report says of its members. */
export interface ReportedGroup {
  of: ServedTenant;
  /** §3.1, milliseconds since the start of the round. */
  time_ms: number;
  /** Σ cost of the members, in millionths. */
  required: Exact;
  soft: boolean;
  /** At least one. */
  members: number;
  /** Places of the members, by arrival and id; behind them stands whatever stood there before. */
  places: Uint32Array;
}

type Show = (group: Readonly<ReportedGroup>) => void;

/** Who of the stream has a bucket, by number; null where one is not served. */
function servedTenants(evidence: Evidence): (ServedTenant | null)[] {
  return evidence.columns.tenantNames.map((name, number) => {
    const tenant = evidence.tenantOf(name);
    if (tenant === undefined) return null;
    const isGuaranteed = evidence.isGuaranteed(tenant);
    return { number, name, tenant, amounts: amountsOf(tenant), isGuaranteed };
  });
}

function addPlace(group: ReportedGroup, place: number): void {
  if (group.members === group.places.length) {
    const larger = new Uint32Array(2 * group.members);
    larger.set(group.places);
    group.places = larger;
  }
  group.places[group.members++] = place;
}

/** The groups of an epoch each, of which one a tenant is open: its members are a chain from place to place. */
class OpenGroups {
  private readonly group: ReportedGroup;
  private readonly show: Show;
  /** By tenant; NONE where it has no open group. */
  private readonly first: Int32Array;
  private readonly last: Int32Array;
  private readonly time_ms: Float64Array;
  private readonly required: Exact[];
  private readonly soft: Uint8Array;
  /** By place: the next of the same group. */
  private readonly next: Int32Array;

  constructor(tenants: number, places: number, group: ReportedGroup, show: Show) {
    this.group = group;
    this.show = show;
    this.first = new Int32Array(tenants).fill(NONE);
    this.last = new Int32Array(tenants);
    this.time_ms = new Float64Array(tenants);
    this.required = new Array(tenants).fill(0);
    this.soft = new Uint8Array(tenants);
    this.next = new Int32Array(places).fill(NONE);
  }

  add(of: ServedTenant, place: number, time_ms: number, cost: number, soft: number): void {
    const { number } = of;
    if (this.first[number] !== NONE && this.time_ms[number] !== time_ms) this.close(of);
    if (this.first[number] === NONE) {
      this.first[number] = place;
      this.time_ms[number] = time_ms;
      this.required[number] = cost;
      this.soft[number] = soft;
    } else {
      this.next[this.last[number]!] = place;
      this.required[number] = exactSum(this.required[number]!, cost);
      this.soft[number]! &= soft;
    }
    this.last[number] = place;
  }

  /** Shows the open group of a tenant, where it has one. */
  close(of: ServedTenant): void {
    const { group } = this;
    const { number } = of;
    group.of = of;
    group.time_ms = this.time_ms[number]!;
    group.required = this.required[number]!;
    group.soft = this.soft[number] === 1;
    group.members = 0;
    for (let place = this.first[number]!; place !== NONE; place = this.next[place]!) addPlace(group, place);
    this.first[number] = NONE;
    if (group.members > 0) this.show(group);
  }
}

/** Each request by itself. */
function eachRequest(
  { columns, order }: Evidence,
  { placeOf }: ReportedRows,
  served: readonly (ServedTenant | null)[],
  group: ReportedGroup,
  show: Show,
): void {
  group.members = 1;
  for (const request of order) {
    const of = served[columns.tenant[request]!]!;
    const place = placeOf[request]!;
    if (of === null || place < 0) continue;
    group.of = of;
    group.time_ms = columns.arrivalMs[request]!;
    group.required = columns.costMicro[request]!;
    group.soft = columns.soft[request] === 1;
    group.places[0] = place;
    show(group);
  }
}

/**
 * Shows the groups of everybody who is served and decided, each tenant's by time; of one time in the order of dispatch.
 * All are one object, which is another group at the next call: ten million would not fit.
 */
export function eachReportedGroup(evidence: Evidence, show: Show): void {
  const { columns, contract, rows, order } = evidence;
  const served = servedTenants(evidence);
  const some = served.find((of) => of !== null);
  if (rows === null || some === undefined) return;
  const places = new Uint32Array(FIRST_PLACES);
  const group: ReportedGroup = { of: some, time_ms: 0, required: 0, soft: true, members: 0, places };
  if (contract.group_by === "request") return eachRequest(evidence, rows, served, group, show);
  const open = new OpenGroups(served.length, rows.count, group, show);
  const { tenant, arrivalMs, costMicro, soft } = columns;
  for (const request of order) {
    const of = served[tenant[request]!]!;
    const place = rows.placeOf[request]!;
    if (of === null || place < 0) continue;
    const arrival_ms = arrivalMs[request]!;
    const time_ms = arrival_ms - (arrival_ms % contract.epoch_ms);
    open.add(of, place, time_ms, costMicro[request]!, soft[request]!);
  }
  for (const of of served) if (of !== null) open.close(of);
}
