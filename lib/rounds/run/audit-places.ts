import type { Contract } from "../../../contract/contract.ts";
import type { RoundFigures } from "../../../contract/report.ts";
import type { RequestColumns } from "../../../contract/request.ts";
import { NO_REQUEST, RequestIndex } from "../../acceptance/request-index.ts";
import { inOrder } from "../../acceptance/request-order.ts";

/** Rank of each tenant of the stream, by its number; those that have no bucket come last (§4). */
function ranksOf(names: readonly string[], { tiers }: Contract, { per_tenant }: RoundFigures): Uint32Array {
  const ranks = new Map(tiers.map(({ name }, rank) => [name, rank]));
  return Uint32Array.from(names, (name) => {
    const tier = Object.hasOwn(per_tenant, name) ? per_tenant[name]!.tier : null;
    return (tier === null ? undefined : ranks.get(tier)) ?? tiers.length;
  });
}

/**
 * Where each decision's request stands among the valid lines. First it is looked for where §3.5 puts it: so no index is
 * made of ten million ids that stand in their order. Both were read from one stream; should they not be of the same
 * requests, whatever was shown beside a decision would be of another: that is an error.
 */
export function placesOfRequests(
  columns: RequestColumns,
  contract: Contract,
  figures: RoundFigures,
): Int32Array {
  const { decisions } = figures;
  const index = new RequestIndex(columns.reqId);
  const places = inOrder(columns, ranksOf(columns.tenantNames, contract, figures));
  if (places.length !== decisions.length)
    throw new Error(`${places.length} requests were read, but ${decisions.length} are decided`);
  // In place: what is likely at a position is not asked for again.
  for (let position = 0; position < places.length; position++) {
    const { req_id } = decisions.at(position)!;
    const place = index.find(req_id, places[position]);
    if (place === NO_REQUEST) throw new Error(`no request ${JSON.stringify(req_id)} was read`);
    places[position] = place;
  }
  return places;
}
