import type { GroupRow, GroupRows } from "../../contract/group.ts";
import { PlacesById } from "../../contract/places-by-id.ts";
import type { Rows } from "../../contract/rows.ts";

/** Finds the group that a request was decided in; undefined where there is none. */
export type FindGroup = (req_id: string) => GroupRow | undefined;

/** Among a few groups. */
export function amongGroups(groups: Iterable<GroupRow>): FindGroup {
  let byId: Map<string, GroupRow> | null = null;
  return (req_id) => {
    byId ??= new Map([...groups].flatMap((group) => group.req_ids.map((member) => [member, group])));
    return byId.get(req_id);
  };
}

/** How often all of an order is looked through before its ids are put into an index. */
const LOOKED_THROUGH = 2;

/**
 * Among all groups of a round, for requests that are asked for about in the order of dispatch: that is walked along, and
 * nothing is laid out for ten million of which a few are asked for. Whoever asks in another order has an index made.
 * @param order ids of all dispatched requests (§3.5)
 */
export function alongOrder(order: Rows<string>, groups: GroupRows): FindGroup {
  let byId: PlacesById | null = null;
  let at = 0;
  let left = LOOKED_THROUGH * order.length;
  const placeOf = (req_id: string): number => {
    for (let steps = 0; byId === null && steps < order.length; steps++, at = (at + 1) % order.length) {
      if (order.at(at) === req_id) return at;
      left -= 1;
      if (left <= 0) byId = new PlacesById(order.length, (place) => order.at(place)!);
    }
    return byId?.find(req_id) ?? -1;
  };
  return (req_id) => {
    const place = placeOf(req_id);
    return place < 0 ? undefined : groups.ofPlace(place);
  };
}
