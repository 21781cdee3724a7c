import type { Contract } from "../../contract/contract.ts";
import type { RequestColumns } from "../../contract/request.ts";
import type { Buckets } from "./bucket-columns.ts";
import { EpochIndex } from "./epoch-index.ts";

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

/** What is still known of groups once they are decided: how many there are, and whose group is which. */
export type KnownGroups = Pick<Groups, "count" | "ofDispatched">;

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

/** The costs of wide buckets, exact, group by group. */
function sumWide(groups: Groups, columns: RequestColumns, order: Uint32Array, buckets: Buckets): void {
  if (buckets.bigints === null) return;
  const { arithmetic, unit } = buckets.bigints;
  for (let place = 0; place < order.length; place++) {
    const group = groups.ofDispatched[place]!;
    const bucket = groups.bucket[group]!;
    if (buckets.isWide[bucket] === 0) continue;
    const cost = arithmetic.amount(columns.costMicro[order[place]!]!, unit[bucket]!);
    groups.requiredBigint[group] = arithmetic.add(groups.requiredBigint[group] ?? arithmetic.zero, cost);
  }
}

/** What groups are formed from, and how far that has come. */
interface Forming {
  contract: Contract;
  columns: RequestColumns;
  order: Uint32Array;
  buckets: Buckets;
  groups: Groups;
  /** Null where each request is a group of its own. */
  epochs: EpochIndex | null;
}

/** Puts the requests at places start … end − 1 of the dispatch order into their groups. */
function groupPlaces(
  { contract, columns, order, buckets, groups, epochs }: Forming,
  start: number,
  end: number,
) {
  const { bucket: bucketOf, time_ms: timeOf, requiredNumber, soft, members, ofDispatched } = groups;
  const { tenant, arrivalMs, costMicro, soft: softRequest } = columns;
  const { ofTenant } = buckets;
  const { arithmetic, unit } = buckets.numbers;
  // A request's time is that of §3.1 also where a fault decides it alone.
  const epoch_ms = contract.group_by === "epoch" ? contract.epoch_ms : 1;
  let { count } = groups;
  for (let place = start; place < end; place++) {
    const request = order[place]!;
    const bucket = ofTenant[tenant[request]!]!;
    const arrival_ms = arrivalMs[request]!;
    const time_ms = epoch_ms === 1 ? arrival_ms : Math.floor(arrival_ms / epoch_ms) * epoch_ms;
    const group = epochs === null ? count : epochs.groupAt(bucket, time_ms, count);
    const cost = arithmetic.amount(costMicro[request]!, unit[bucket]!);
    ofDispatched[place] = group;
    if (group === count) {
      count += 1;
      bucketOf[group] = bucket;
      timeOf[group] = time_ms;
      requiredNumber[group] = cost;
      soft[group] = softRequest[request]!;
      members[group] = 1;
    } else {
      requiredNumber[group] = arithmetic.add(requiredNumber[group]!, cost);
      soft[group]! &= softRequest[request]!;
      members[group]! += 1;
    }
  }
  groups.count = count;
}

/** Places looked at in one call: many calls of a short loop are compiled better than one call of a long one. */
const RUN = 8192;

/** §3.1: forms the groups of the dispatched requests, each at the place of its first member. */
export function formGroups(
  contract: Contract,
  columns: RequestColumns,
  order: Uint32Array,
  buckets: Buckets,
  grouping: Contract["group_by"],
): Groups {
  const groups = emptyGroups(order.length);
  const epochs = grouping === "epoch" ? new EpochIndex(buckets.count, order.length) : null;
  const forming: Forming = { contract, columns, order, buckets, groups, epochs };
  for (let start = 0; start < order.length; start += RUN)
    groupPlaces(forming, start, Math.min(order.length, start + RUN));
  sumWide(groups, columns, order, buckets);
  return groups;
}
