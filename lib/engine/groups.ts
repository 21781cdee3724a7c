import type { Contract } from "../../contract/contract.ts";
import type { RequestColumns } from "../../contract/request.ts";
import type { Buckets } from "./buckets.ts";

/** Groups (§3.1) as columns by group index, in the order in which they are decided: that of their first member. */
export interface Groups {
  count: number;
  bucket: Uint32Array;
  /** The group's time, milliseconds since the start of the round. */
  time_ms: Float64Array;
  /** Σ cost in the unit of a bucket that is not wide. */
  requiredNumber: Float64Array;
  /** The same for wide buckets, by group index; empty where none is wide. */
  requiredBigint: bigint[];
  /** 1 where every member is soft. */
  soft: Uint8Array;
  /** Number of members. */
  members: Uint32Array;
  /** Group of each dispatched request, by place in the dispatch order. */
  ofDispatched: Uint32Array;
}

/** §3.1: the time of a request's group. */
function groupTime(contract: Contract, arrival_ms: number): number {
  return contract.group_by === "epoch"
    ? Math.floor(arrival_ms / contract.epoch_ms) * contract.epoch_ms
    : arrival_ms;
}

function emptyGroups(capacity: number): Groups {
  return {
    count: 0,
    bucket: new Uint32Array(capacity),
    time_ms: new Float64Array(capacity),
    requiredNumber: new Float64Array(capacity),
    requiredBigint: [],
    soft: new Uint8Array(capacity),
    members: new Uint32Array(capacity),
    ofDispatched: new Uint32Array(capacity),
  };
}

/** Finds the group that a bucket already has for an epoch; arrivals of a bucket usually come in order. */
class OpenGroups {
  private readonly latest: Int32Array;
  private readonly earlier = new Map<number, Map<number, number>>();
  private readonly groups: Groups;

  constructor(buckets: number, groups: Groups) {
    this.latest = new Int32Array(buckets).fill(-1);
    this.groups = groups;
  }

  find(bucket: number, time_ms: number): number {
    const latest = this.latest[bucket]!;
    if (latest >= 0 && this.groups.time_ms[latest] === time_ms) return latest;
    return this.earlier.get(bucket)?.get(time_ms) ?? -1;
  }

  add(bucket: number, group: number): void {
    const latest = this.latest[bucket]!;
    if (latest >= 0) {
      const times = this.earlier.get(bucket) ?? new Map<number, number>();
      this.earlier.set(bucket, times.set(this.groups.time_ms[latest]!, latest));
    }
    this.latest[bucket] = group;
  }
}

/** Adds a request to a group. */
function join(
  groups: Groups,
  group: number,
  request: number,
  columns: RequestColumns,
  buckets: Buckets,
): void {
  const bucket = groups.bucket[group]!;
  const costMicro = columns.costMicro[request]!;
  if (buckets.isWide[bucket] === 1) {
    const { arithmetic, unit } = buckets.bigints!;
    const cost = arithmetic.amount(costMicro, unit[bucket]!);
    groups.requiredBigint[group] = arithmetic.add(groups.requiredBigint[group] ?? arithmetic.zero, cost);
  } else {
    const { arithmetic, unit } = buckets.numbers;
    const cost = arithmetic.amount(costMicro, unit[bucket]!);
    groups.requiredNumber[group] = arithmetic.add(groups.requiredNumber[group]!, cost);
  }
  groups.soft[group]! &= columns.soft[request]!;
  groups.members[group]! += 1;
}

/** §3.1: forms the groups of the dispatched requests, each at the place of its first member. */
export function formGroups(
  contract: Contract,
  columns: RequestColumns,
  order: Uint32Array,
  buckets: Buckets,
  unit: Contract["group_by"],
): Groups {
  const groups = emptyGroups(order.length);
  const open = unit === "epoch" ? new OpenGroups(buckets.count, groups) : null;
  for (let place = 0; place < order.length; place++) {
    const request = order[place]!;
    const bucket = buckets.ofTenant[columns.tenant[request]!]!;
    const time_ms = groupTime(contract, columns.arrivalMs[request]!);
    let group = open === null ? -1 : open.find(bucket, time_ms);
    if (group < 0) {
      group = groups.count++;
      groups.bucket[group] = bucket;
      groups.time_ms[group] = time_ms;
      groups.soft[group] = 1;
      open?.add(bucket, group);
    }
    groups.ofDispatched[place] = group;
    join(groups, group, request, columns, buckets);
  }
  return groups;
}
