import type { Contract } from "../../contract/contract.ts";
import type { RowTable } from "./row-table.ts";

/** Whole numbers up to here are exact in a double. */
const EXACT = 2 ** 53;

/** The rows of equal arrival that start at `start` are put in the order of their ids. Most are ones, twos or threes. */
function sortEqualArrivals(rows: Uint32Array, start: number, end: number, table: RowTable): void {
  if (end - start > 10) {
    rows.subarray(start, end).sort((a, b) => table.compareIds(a, b));
    return;
  }
  for (let at = start + 1; at < end; at++)
    for (let place = at; place > start && table.compareIds(rows[place - 1]!, rows[place]!) > 0; place--) {
      const later = rows[place - 1]!;
      rows[place - 1] = rows[place]!;
      rows[place] = later;
    }
}

/** Arrivals are sorted by so many values at once: a digit, of which the latest arrival there can be has four. */
const DIGIT = 2 ** 11;

/** Rows by one digit of their arrivals, put into `sorted`; those of the same digit stay in their order. */
function sortByDigit(
  rows: Uint32Array,
  sorted: Uint32Array,
  arrival_ms: Float64Array,
  unit_ms: number,
): void {
  const next = new Uint32Array(DIGIT + 1);
  // A power of two: nothing is rounded. Of what it comes to, the lowest bits are the digit.
  const units = 1 / unit_ms;
  for (let at = 0; at < rows.length; at++) next[((arrival_ms[rows[at]!]! * units) & (DIGIT - 1)) + 1]! += 1;
  for (let digit = 0; digit < DIGIT; digit++) next[digit + 1]! += next[digit]!;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    sorted[next[(arrival_ms[row]! * units) & (DIGIT - 1)]!++] = row;
  }
}

/**
 * Sorts rows in place by (arrival_ms, req_id by bytes): the second and third level of §3.5, and the order of what is
 * not served (§4). By arrival digit after digit, from the lowest on.
 */
export function sortByArrival(rows: Uint32Array, table: RowTable): void {
  const { arrival_ms } = table;
  let latest_ms = 0;
  for (const row of rows) if (arrival_ms[row]! > latest_ms) latest_ms = arrival_ms[row]!;
  const spare = new Uint32Array(rows.length);
  let sorted = rows;
  let other: Uint32Array = spare;
  for (let unit_ms = 1; unit_ms <= latest_ms; unit_ms *= DIGIT) {
    sortByDigit(sorted, other, arrival_ms, unit_ms);
    [sorted, other] = [other, sorted];
  }
  if (sorted !== rows) rows.set(sorted);
  spare.buffer.transfer(0);
  for (let start = 0, end = 0; start < rows.length; start = end) {
    for (end = start + 1; end < rows.length && arrival_ms[rows[end]!] === arrival_ms[rows[start]!]; )
      end += 1;
    sortEqualArrivals(rows, start, end, table);
  }
}

/** §3.5: rows by (rank of the tier, arrival_ms, req_id), given in any order; one rank after the other. */
export function sortForDispatch(
  served: Uint32Array,
  rankOf: (row: number) => number,
  ranks: number,
  table: RowTable,
): Uint32Array<ArrayBuffer> {
  const starts = new Float64Array(ranks + 1);
  for (const row of served) starts[rankOf(row) + 1]! += 1;
  for (let rank = 0; rank < ranks; rank++) starts[rank + 1]! += starts[rank]!;
  const sorted = new Uint32Array(served.length);
  const next = starts.slice();
  for (const row of served) sorted[next[rankOf(row)]!++] = row;
  for (let rank = 0; rank < ranks; rank++)
    sortByArrival(sorted.subarray(starts[rank], starts[rank + 1]), table);
  return sorted;
}

/** Sums of whole numbers, exact whatever they come to. */
class ExactSums {
  private readonly small: Float64Array;
  private readonly large = new Map<number, bigint>();

  constructor(count: number) {
    this.small = new Float64Array(count);
  }

  add(at: number, amount: number): void {
    const sum = this.small[at]! + amount;
    if (sum < EXACT) {
      this.small[at] = sum;
      return;
    }
    this.large.set(at, (this.large.get(at) ?? 0n) + BigInt(this.small[at]!));
    this.small[at] = amount;
  }

  at(index: number): bigint {
    return BigInt(this.small[index]!) + (this.large.get(index) ?? 0n);
  }
}

/** Groups of more than one member as plain data, by group and by place in the dispatch order. */
export interface PackedGroups {
  count: number;
  group_of: Uint32Array<ArrayBuffer>;
  first: Uint32Array<ArrayBuffer>;
  time_ms: Float64Array<ArrayBuffer>;
  members: Uint32Array<ArrayBuffer>;
  next: Int32Array<ArrayBuffer>;
}

/** The groups of the dispatched rows (§3.1), in the order of their first members. Places are those of the dispatch order. */
export interface Groups {
  count: number;
  groupOf(place: number): number;
  /** Place of the first member. */
  first(group: number): number;
  time_ms(group: number): number;
  members(group: number): number;
  /** Place of the member behind the one at a place; −1 behind the last. */
  next(place: number): number;
  pack(): PackedGroups | Float64Array<ArrayBuffer>;
}

/** What groups ask for, until they are decided. */
export interface Demands {
  /** Σ cost of a group's members, in millionths. */
  required_micro(group: number): bigint;
  /** Every member may be queued. */
  soft(group: number): boolean;
}

/** Groups as they were packed: by their columns, or, of single requests, by their times alone. */
export function openGroups(packed: PackedGroups | Float64Array<ArrayBuffer>): Groups {
  if (packed instanceof Float64Array)
    return {
      count: packed.length,
      groupOf: (place) => place,
      first: (group) => group,
      time_ms: (group) => packed[group]!,
      members: () => 1,
      next: () => -1,
      pack: () => packed,
    };
  const { count, group_of, first, time_ms, members, next } = packed;
  return {
    count,
    groupOf: (place) => group_of[place]!,
    first: (group) => first[group]!,
    time_ms: (group) => time_ms[group]!,
    members: (group) => members[group]!,
    next: (place) => next[place]!,
    pack: () => packed,
  };
}

/** `group_by: "request"`: each a group of its own, at its arrival. */
function singles(order: Uint32Array, table: RowTable): { groups: Groups; demands: Demands } {
  const time_ms = new Float64Array(order.length);
  for (let place = 0; place < order.length; place++) time_ms[place] = table.arrival_ms[order[place]!]!;
  return {
    groups: openGroups(time_ms),
    demands: {
      required_micro: (group) => BigInt(table.cost_micro[order[group]!]!),
      soft: (group) => table.soft[order[group]!] === 1,
    },
  };
}

/** `group_by: "epoch"`: a tenant's requests of one epoch, at the epoch. */
function epochs(order: Uint32Array, table: RowTable, epoch_ms: number): { groups: Groups; demands: Demands } {
  const group_of = new Uint32Array(order.length);
  const first = new Uint32Array(order.length);
  const time = new Float64Array(order.length);
  const required = new ExactSums(order.length);
  const soft = new Uint8Array(order.length);
  const members = new Uint32Array(order.length);
  const next = new Int32Array(order.length).fill(-1);
  const last = new Int32Array(order.length);
  // Within one tenant the rows come by arrival: a group is never met again once its epoch has passed.
  const latest = new Int32Array(table.tenants.length).fill(-1);
  let count = 0;
  for (let place = 0; place < order.length; place++) {
    const row = order[place]!;
    const arrival_ms = table.arrival_ms[row]!;
    const time_ms = arrival_ms - (arrival_ms % epoch_ms);
    const tenant = table.tenant[row]!;
    let group = latest[tenant]!;
    if (group < 0 || time[group] !== time_ms) {
      group = count;
      count += 1;
      latest[tenant] = group;
      first[group] = place;
      time[group] = time_ms;
      soft[group] = 1;
    } else next[last[group]!] = place;
    last[group] = place;
    group_of[place] = group;
    required.add(group, table.cost_micro[row]!);
    // One member that may not be queued keeps all from the queue (§3.4).
    if (table.soft[row] === 0) soft[group] = 0;
    members[group]! += 1;
  }
  return {
    groups: openGroups({ count, group_of, first, time_ms: time, members, next }),
    demands: { required_micro: (group) => required.at(group), soft: (group) => soft[group] === 1 },
  };
}

/** §3.1: forms the groups of rows that come in dispatch order. */
export function formGroups(
  order: Uint32Array,
  table: RowTable,
  contract: Contract,
): { groups: Groups; demands: Demands } {
  return contract.group_by === "request" ? singles(order, table) : epochs(order, table, contract.epoch_ms);
}
