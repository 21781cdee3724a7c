import type { RequestColumns } from "../../contract/request.ts";
import { byArrival } from "./byte-order.ts";

/** Requests of a bucket, about. */
const EACH = 8;
/** In larger buckets a request is not put in its place by passing all that stand before it. */
const LARGE = 64;

/**
 * The requests by rank, arrival and id (§3.5). They are dealt into buckets of rank and arrival first, so that those that
 * are compared are few and neighbours in memory.
 * @param ranks of each tenant, by its number: whole numbers from 0 on
 */
export function inOrder(columns: RequestColumns, ranks: Uint32Array): Int32Array {
  const { count, tenant, arrivalMs } = columns;
  let [lastRank, latest_ms] = [0, 0];
  for (const rank of ranks) if (rank > lastRank) lastRank = rank;
  for (let request = 0; request < count; request++)
    if (arrivalMs[request]! > latest_ms) latest_ms = arrivalMs[request]!;
  const ofRank = Math.ceil(count / EACH / (lastRank + 1)) + 1;
  const width_ms = Math.ceil((latest_ms + 1) / ofRank);
  const bucketOf = (request: number) =>
    ranks[tenant[request]!]! * ofRank + Math.floor(arrivalMs[request]! / width_ms);
  const places = new Uint32Array((lastRank + 1) * ofRank + 1);
  for (let request = 0; request < count; request++) places[bucketOf(request) + 1]! += 1;
  for (let bucket = 1; bucket < places.length; bucket++) places[bucket]! += places[bucket - 1]!;
  const order = new Int32Array(count);
  // What is the place of a bucket's next request is, once the bucket is full, its end.
  for (let request = 0; request < count; request++) order[places[bucketOf(request)]!++] = request;
  for (let bucket = 0, start = 0; start < count; start = places[bucket++]!)
    sortByArrival(columns, order.subarray(start, places[bucket]!));
  return order;
}

function sortByArrival(columns: RequestColumns, requests: Int32Array): void {
  if (requests.length > LARGE) {
    requests.sort((a, b) => byArrival(columns, a, b));
    return;
  }
  for (let at = 1; at < requests.length; at++) {
    const request = requests[at]!;
    let to = at;
    for (; to > 0 && byArrival(columns, requests[to - 1]!, request) > 0; to--)
      requests[to] = requests[to - 1]!;
    requests[to] = request;
  }
}
