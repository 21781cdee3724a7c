import type { GroupColumns, GroupRow, GroupRows } from "../../contract/group.ts";
import type { Bucket } from "./bucket.ts";
import type { Judged } from "./decided.ts";
import { tokensOf } from "./figures.ts";
import { gone, OnDemand } from "./rows-on-demand.ts";
import { balanceOf, decide, type FoundVerdict, type Group, waitOf } from "./rules.ts";
import { isBreach, outcomeOf } from "./verdicts.ts";

/** A trace as plain data: amounts and waits by group, and which groups were kept (null: all). */
export interface PackedTrace {
  kept: number[] | null;
  signed: Float64Array<ArrayBuffer>;
  after: Float64Array<ArrayBuffer>;
  required: Float64Array<ArrayBuffer>;
  wait_ms: Float64Array<ArrayBuffer>;
}

/** A trace of groups that are to be decided. `all`: every one is kept; else those that `decide` is called for. */
export const emptyTrace = (groups: number, all: boolean): PackedTrace => ({
  kept: all ? null : [],
  signed: new Float64Array(groups),
  after: new Float64Array(groups),
  required: new Float64Array(groups),
  wait_ms: new Float64Array(groups),
});

/** The arithmetic of groups laid open (§3.2–§3.4), as columns by place among the groups that are kept. */
export class GroupTrace {
  private readonly kept: number[] | null;
  private readonly signed: Float64Array;
  private readonly after: Float64Array;
  private readonly required: Float64Array;
  private readonly wait_ms: Float64Array;

  constructor({ kept, signed, after, required, wait_ms }: PackedTrace) {
    this.kept = kept;
    this.signed = signed;
    this.after = after;
    this.required = required;
    this.wait_ms = wait_ms;
  }

  /** Decides one group, and keeps its arithmetic. */
  decide(group: Group, position: number, grace_ms: number): FoundVerdict {
    const { bucket, required } = group;
    const wait_ms = balanceOf(bucket) >= required ? 0 : waitOf(group);
    this.kept?.push(position);
    this.signed[position] = tokensOf(bucket.signed, bucket);
    const found = decide(group, grace_ms);
    this.after[position] = tokensOf(bucket.signed, bucket);
    this.required[position] = tokensOf(required, bucket);
    this.wait_ms[position] = wait_ms ?? Number.NaN;
    return found;
  }

  /** The kept groups as rows, in the order of decision. */
  rows(decided: Judged): TracedGroups {
    const { kept } = this;
    const groupAt = (at: number) => (kept === null ? at : kept[at]!);
    const known = kept === null ? null : new Set(kept);
    return new TracedGroups(
      kept?.length ?? decided.groups.count,
      (at) => this.row(decided, groupAt(at)),
      () => this.columns(decided, groupAt),
      (place) => {
        if (place < 0 || place >= decided.order.length) return undefined;
        const group = decided.groups.groupOf(place);
        return known === null || known.has(group) ? this.row(decided, group) : undefined;
      },
    );
  }

  /** The values of the rows that `groupAt` gives the groups of. */
  private columns(decided: Judged, groupAt: (row: number) => number): GroupColumns {
    const { table, order, groups, verdicts, bucketOf } = decided;
    const { signed, after, required, wait_ms } = this;
    return {
      tenants: table.tenants,
      tiers: bucketOf.map((bucket) => (typeof bucket === "string" ? null : bucket.tier)),
      position: groupAt,
      tenant: (row) => table.tenant[order[groups.first(groupAt(row))]!]!,
      time_ms: (row) => groups.time_ms(groupAt(row)),
      signed_balance: (row) => signed[groupAt(row)]!,
      signed_after: (row) => after[groupAt(row)]!,
      required: (row) => required[groupAt(row)]!,
      wait_ms: (row) => wait_ms[groupAt(row)]!,
      step: (row) => verdicts.step[groupAt(row)]!,
      outcome: outcomeOf,
      reserve_breached: (row) => isBreach(verdicts.step[groupAt(row)]!),
      members: (row) => groups.members(groupAt(row)),
      firstMember: (row) => groups.first(groupAt(row)),
      nextMember: (_, place) => groups.next(place),
      idBytes: table.idBytes,
      idStart: (place) => table.idStart(order[place]!),
      idEnd: (place) => table.idEnd(order[place]!),
    };
  }

  private row(decided: Judged, group: number): GroupRow {
    const { table, order, groups, verdicts, bucketOf } = decided;
    const first = order[groups.first(group)]!;
    const { tier } = bucketOf[table.tenant[first]!] as Pick<Bucket, "tier">;
    const { step, verdict, reason, reserve_breached } = verdicts.at(group);
    const wait_ms = this.wait_ms[group]!;
    return {
      position: group,
      tenant: table.tenantName(first),
      tier,
      time_ms: groups.time_ms(group),
      signed_balance: this.signed[group]!,
      signed_after: this.after[group]!,
      required: this.required[group]!,
      wait_ms: Number.isNaN(wait_ms) ? null : wait_ms,
      step,
      verdict,
      reason,
      reserve_breached,
      req_ids: memberIds(decided, group),
    };
  }
}

/** Groups as rows that are made when they are asked for. */
export class TracedGroups extends OnDemand<GroupRow> implements GroupRows {
  columns: () => GroupColumns;
  ofPlace: (place: number) => GroupRow | undefined;

  constructor(
    length: number,
    item: (index: number) => GroupRow,
    columns: () => GroupColumns,
    ofPlace: (place: number) => GroupRow | undefined,
  ) {
    super(length, item);
    this.columns = columns;
    this.ofPlace = ofPlace;
  }

  override letGo(): void {
    super.letGo();
    this.columns = gone;
    this.ofPlace = gone;
  }
}

/** What is kept where nothing was asked for. */
export function noGroups(): TracedGroups {
  const none = (): never => {
    throw new RangeError("no groups were kept");
  };
  return new TracedGroups(0, none, none, () => undefined);
}

/** Ids of a group's members, in dispatch order. */
export function memberIds({ table, order, groups }: Judged, group: number): string[] {
  const ids: string[] = [];
  for (let place = groups.first(group); place >= 0; place = groups.next(place))
    ids.push(table.idText(order[place]!));
  return ids;
}
