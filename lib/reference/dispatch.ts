import type { Contract } from "../../contract/contract.ts";
import type { Bucket } from "./bucket.ts";
import type { RequestRow } from "./request-line.ts";
import type { Group } from "./rules.ts";

/** A request with its bucket and, once it is formed, its group. */
export interface ServedRow {
  row: RequestRow;
  bucket: Bucket;
}

/** Order of ids by their UTF-8 bytes, which is that of their code points (§3.5). */
function byCodePoints(a: string, b: string): number {
  const left = a[Symbol.iterator]();
  const right = b[Symbol.iterator]();
  for (;;) {
    const x = left.next();
    const y = right.next();
    if (x.done || y.done) return Number(y.done ?? false) - Number(x.done ?? false);
    const difference = x.value.codePointAt(0)! - y.value.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
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

/** §3.1, §3.5: the groups in the order of their first members, and each row's group. Rows come in dispatch order. */
export function formGroups(served: ServedRow[], contract: Contract): { groups: Group[]; ofRow: Group[] } {
  const groups: Group[] = [];
  const ofRow: Group[] = [];
  const open = new Map<Bucket, Group>();
  for (const { row, bucket } of served) {
    const time_ms = groupTime(contract, row);
    // Within one bucket the rows come by arrival: a group is never met again once its epoch has passed.
    let group = contract.group_by === "epoch" ? open.get(bucket) : undefined;
    if (group === undefined || group.time_ms !== time_ms) {
      group = { bucket, time_ms, required: 0n, soft: true, members: [] };
      open.set(bucket, group);
      groups.push(group);
    }
    group.required += row.cost * bucket.grains_per_micro;
    group.soft &&= row.soft;
    group.members.push(row.req_id);
    ofRow.push(group);
  }
  return { groups, ofRow };
}
