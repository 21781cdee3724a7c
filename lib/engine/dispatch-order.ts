import type { RequestColumns } from "../../contract/request.ts";
import type { Buckets } from "./buckets.ts";
import { compareBytes } from "./byte-order.ts";
import { radixSort } from "./radix-sort.ts";

/** Arrivals are below this (§1.3), so that rank × this + arrival orders by (rank, arrival) and stays below 2^53. */
const RANK_STEP = 2 ** 35;

/** Sorts runs of equal keys by the bytes of their ids (§3.5). Ids are unique: no two requests compare equal. */
function sortTies(order: Uint32Array, keys: Float64Array, reqId: string[]): void {
  let start = 0;
  for (let end = 1; end <= order.length; end++) {
    if (end < order.length && keys[order[end]!] === keys[order[start]!]) continue;
    if (end - start > 1) order.subarray(start, end).sort((a, b) => compareBytes(reqId[a]!, reqId[b]!));
    start = end;
  }
}

/** Request indices by (key, req_id by UTF-8 bytes); `keys` are whole numbers below 2^53, by request index. */
export function sortByKey(requests: Uint32Array, keys: Float64Array, reqId: string[]): Uint32Array {
  const order = radixSort(requests, keys);
  sortTies(order, keys, reqId);
  return order;
}

/** §3.5: by (rank of the tier, arrival_ms, req_id by UTF-8 bytes). */
export function sortForDispatch(served: Uint32Array, columns: RequestColumns, buckets: Buckets): Uint32Array {
  const keys = new Float64Array(columns.count);
  for (const request of served) {
    const rank = buckets.rank[buckets.ofTenant[columns.tenant[request]!]!]!;
    keys[request] = rank * RANK_STEP + columns.arrivalMs[request]!;
  }
  return sortByKey(served, keys, columns.reqId);
}

/** By (arrival_ms, req_id): the order of what is not dispatched (§4), and of the fault `fifo-dispatch`. */
export function sortByArrival(requests: Uint32Array, columns: RequestColumns): Uint32Array {
  return sortByKey(requests, columns.arrivalMs, columns.reqId);
}
