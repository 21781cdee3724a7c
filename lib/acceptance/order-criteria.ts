import { byArrival } from "./byte-order.ts";
import { type AcceptanceCriterion, unequal } from "./criterion.ts";
import { type Evidence, ranksOf } from "./evidence.ts";
import { NO_REQUEST } from "./request-index.ts";

/** The first pair of neighbours that stands in the wrong order; `idAt` is asked only for what is wrong. */
function disorder(
  { columns }: Evidence,
  requests: Int32Array,
  rankOf: Uint32Array | null,
  idAt: (place: number) => string,
): string | null {
  const { tenant } = columns;
  for (let at = 0; at < requests.length; at++) {
    const after = requests[at]!;
    if (after === NO_REQUEST) return `${idAt(at)} is no request of the stream`;
    if (at === 0) continue;
    const before = requests[at - 1]!;
    const ranks_apart = rankOf === null ? 0 : rankOf[tenant[before]!]! - rankOf[tenant[after]!]!;
    if ((ranks_apart || byArrival(columns, before, after)) > 0)
      return `${idAt(at - 1)} stands before ${idAt(at)}`;
  }
  return null;
}

export const orderCriteria: AcceptanceCriterion[] = [
  {
    id: "order.sorted",
    group: "order",
    clause: "§3.5",
    title: "Dispatch is sorted by rank, arrival and id",
    judge: (evidence) => {
      const { dispatch } = evidence;
      if (dispatch === null) return undefined;
      return disorder(evidence, dispatch.requests, ranksOf(evidence), (at) => dispatch.ids.at(at)!);
    },
  },
  {
    id: "order.complete",
    group: "order",
    clause: "§3.5",
    title: "Dispatched is who has a bucket, each once",
    judge: (evidence) => {
      const { dispatch, columns } = evidence;
      if (dispatch === null) return undefined;
      const isListed = new Uint8Array(columns.count);
      for (const request of dispatch.requests) {
        if (request === NO_REQUEST) continue;
        if (isListed[request] === 1) return "an id is dispatched twice";
        isListed[request] = 1;
      }
      const isServed = columns.tenantNames.map((name) => evidence.tenantOf(name) !== undefined);
      let served = 0;
      for (let request = 0; request < columns.count; request++) {
        const isDue = isServed[columns.tenant[request]!]!;
        if (isDue) served += 1;
        if (isDue !== (isListed[request] === 1))
          return `${columns.reqId.at(request)} is ${isDue ? "not dispatched" : "dispatched"}`;
      }
      return unequal("the number dispatched", dispatch.requests.length, served);
    },
  },
  {
    id: "order.decisions",
    group: "order",
    clause: "§4",
    title: "Decisions come in dispatch order, the rest by arrival",
    judge: (evidence) => {
      const { dispatch, rows } = evidence;
      if (dispatch === null || rows === null) return undefined;
      const { length } = dispatch.requests;
      for (let at = 0; at < length; at++) {
        const request = dispatch.requests[at]!;
        if (request !== NO_REQUEST && at < rows.count && rows.requestOf[at] === request) continue;
        const reported = at < rows.count ? rows.idAt(at) : undefined;
        const fault = unequal(`decision ${at}`, reported, dispatch.ids.at(at));
        if (fault !== null) return fault;
      }
      const rest = rows.requestOf.subarray(length);
      return disorder(evidence, rest, null, (at) => rows.idAt(length + at));
    },
  },
  {
    id: "decisions.once",
    group: "groups",
    clause: "§4",
    title: "Every request is decided once, none is invented",
    judge: ({ rows, columns }) => {
      if (rows === null) return undefined;
      if (rows.isRepeated) return "an id is decided twice";
      const undecided = rows.placeOf.indexOf(-1);
      if (undecided >= 0) return `${columns.reqId.at(undecided)} is not decided`;
      const invented = rows.requestOf.indexOf(NO_REQUEST);
      return invented >= 0 ? `${rows.idAt(invented)} is no request` : null;
    },
  },
  {
    id: "decisions.tenant",
    group: "groups",
    clause: "§4",
    title: "Each decision names the tenant of its request",
    judge: (evidence) => {
      const { rows, columns } = evidence;
      if (rows === null) return undefined;
      for (let place = 0; place < rows.count; place++) {
        const request = rows.requestOf[place]!;
        if (request === NO_REQUEST || rows.tenant[place] === columns.tenant[request]) continue;
        const name = columns.tenantNames[columns.tenant[request]!];
        return unequal(`tenant of ${rows.idAt(place)}`, rows.tenantAt(place), name);
      }
      return null;
    },
  },
];
