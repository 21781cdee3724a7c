import type { Contract } from "../../contract/contract.ts";
import type { Bucket } from "./bucket.ts";
import type { RequestRow } from "./request-line.ts";
import type { Group } from "./rules.ts";

/** A request with the bucket that serves it. */
export interface ServedRow {
  row: RequestRow;
  bucket: Bucket;
}

/** A code unit's place among characters: a surrogate stands for one above U+FFFF, and so comes after all others. */
const weight = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Order of ids by their UTF-8 bytes, which is that of their code points (§3.5). Ids hold no lone surrogate (§1.3). */
export function byCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = weight(a.charCodeAt(at)) - weight(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** (arrival_ms, req_id): the second and third level of §3.5, and the order of what is not served (§4). */
export const byArrival = (a: RequestRow, b: RequestRow): number =>
  a.arrival_ms - b.arrival_ms || byCodePoints(a.req_id, b.req_id);

/** §3.5: (rank of the tier, arrival_ms, req_id). */
export const byDispatch = (a: ServedRow, b: ServedRow): number =>
  a.bucket.rank - b.bucket.rank || byArrival(a.row, b.row);

/** §3.1: when a request's group is decided. */
function groupTime(contract: Contract, { arrival_ms }: RequestRow): number {
  return contract.group_by === "request" ? arrival_ms : arrival_ms - (arrival_ms % contract.epoch_ms);
}

const newGroup = (bucket: Bucket, time_ms: number): Group => ({
  bucket,
  time_ms,
  required: 0n,
  soft: true,
  members: [],
  found: null,
});

/** §3.1: `required` is the sum of the costs; one member that may not be queued keeps all from the queue (§3.4). */
function join(group: Group, row: RequestRow): void {
  group.required += row.cost * group.bucket.grains_per_micro;
  group.soft &&= row.soft;
  group.members.push(row.req_id);
}

/** §3.1, §3.5: the groups in the order of their first members, the group of each row at its place. Rows come in dispatch order. */
export function formGroups(
  served: readonly ServedRow[],
  contract: Contract,
): { groups: Group[]; ofRow: Group[] } {
  const groups: Group[] = [];
  const latest = new Map<Bucket, Group>();
  const ofRow = served.map(({ row, bucket }) => {
    const time_ms = groupTime(contract, row);
    // Within one bucket the rows come by arrival: a group is never met again once its epoch has passed.
    let group = contract.group_by === "epoch" ? latest.get(bucket) : undefined;
    if (group === undefined || group.time_ms !== time_ms) {
      group = newGroup(bucket, time_ms);
      groups.push(group);
      if (contract.group_by === "epoch") latest.set(bucket, group);
    }
    join(group, row);
    return group;
  });
  return { groups, ofRow };
}
