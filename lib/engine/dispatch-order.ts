import type { RequestColumns } from "../../contract/request.ts";
import type { TextColumn } from "../../contract/text-column.ts";
import type { Buckets } from "./bucket-columns.ts";
import { compareBytes } from "./byte-order.ts";
import { radixSort } from "./radix-sort.ts";

/** Up to so many ties each is put in its place by comparing: there are millions of twos and threes in a busy log. */
const FEW = 16;

/** Sorts places start … end − 1 by the bytes of the ids (§3.5). Ids are unique: no two requests compare equal. */
function sortTies(order: Uint32Array, start: number, end: number, reqId: TextColumn): void {
  if (end - start > FEW) {
    order.subarray(start, end).sort((a, b) => compareBytes(reqId, a, b));
    return;
  }
  for (let at = start + 1; at < end; at++) {
    const request = order[at]!;
    let place = at;
    for (; place > start && compareBytes(reqId, order[place - 1]!, request) > 0; place--)
      order[place] = order[place - 1]!;
    order[place] = request;
  }
}

/** By (arrival_ms, req_id by UTF-8 bytes): the order of what is not dispatched (§4), and of the fault `fifo-dispatch`. */
export function sortByArrival(requests: Uint32Array, { arrivalMs, reqId }: RequestColumns): Uint32Array {
  const order = radixSort(requests, arrivalMs);
  let start = 0;
  for (let end = 1; end <= order.length; end++) {
    if (end < order.length && arrivalMs[order[end]!] === arrivalMs[order[start]!]) continue;
    if (end - start > 1) sortTies(order, start, end, reqId);
    start = end;
  }
  return order;
}

/** §3.5: by (rank of the tier, arrival_ms, req_id by UTF-8 bytes). The sort by rank is stable: it keeps the rest. */
export function sortForDispatch(served: Uint32Array, columns: RequestColumns, buckets: Buckets): Uint32Array {
  const ranks = new Uint32Array(columns.count);
  for (let at = 0; at < served.length; at++) {
    const request = served[at]!;
    ranks[request] = buckets.rank[buckets.ofTenant[columns.tenant[request]!]!]!;
  }
  return radixSort(sortByArrival(served, columns), ranks);
}
