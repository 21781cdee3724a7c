import { byBytes } from "./byte-order.ts";
import { type AcceptanceCriterion, firstFault, unequal } from "./criterion.ts";
import { type Evidence, tenantName } from "./evidence.ts";

/** Rank of a request's tier; those that are not served come last. */
function rank(evidence: Evidence, request: number): number {
  const tenant = evidence.tenantOf(tenantName(evidence, request));
  return tenant === undefined ? Number.POSITIVE_INFINITY : evidence.rankOf(tenant);
}

/** The first pair of neighbours that stands in the wrong order. */
function disorder(evidence: Evidence, ids: readonly string[], ranked: boolean): string | null {
  let before = -1;
  for (let at = 0; at < ids.length; at++) {
    const after = evidence.requestOf.get(ids[at]!);
    if (after === undefined) return `${ids[at]} is no request of the stream`;
    if (at === 0) {
      before = after;
      continue;
    }
    const difference =
      (ranked ? rank(evidence, before) - rank(evidence, after) : 0) ||
      evidence.columns.arrivalMs[before]! - evidence.columns.arrivalMs[after]! ||
      byBytes(ids[at - 1]!, ids[at]!);
    if (difference > 0) return `${ids[at - 1]} stands before ${ids[at]}`;
    before = after;
  }
  return null;
}

export const orderCriteria: AcceptanceCriterion[] = [
  {
    id: "order.sorted",
    group: "order",
    clause: "§3.5",
    title: "Dispatch is sorted by rank, arrival and id",
    judge: (evidence) =>
      evidence.dispatch === null ? undefined : disorder(evidence, evidence.dispatch, true),
  },
  {
    id: "order.complete",
    group: "order",
    clause: "§3.5",
    title: "Dispatched is who has a bucket, each once",
    judge: (evidence) => {
      const { dispatch, columns } = evidence;
      if (dispatch === null) return undefined;
      const listed = new Set(dispatch);
      if (listed.size !== dispatch.length) return "an id is dispatched twice";
      let served = 0;
      const fault = firstFault(columns.tenant.keys(), (request) => {
        const isServed = evidence.tenantOf(tenantName(evidence, request)) !== undefined;
        if (isServed) served += 1;
        const id = columns.reqId.at(request);
        return isServed === listed.has(id) ? null : `${id} is ${isServed ? "not dispatched" : "dispatched"}`;
      });
      return fault ?? unequal("the number dispatched", dispatch.length, served);
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
      const fault = firstFault(dispatch.keys(), (at) =>
        unequal(`decision ${at}`, rows[at]?.req_id, dispatch[at]),
      );
      const rest = rows.slice(dispatch.length).map(({ req_id }) => req_id);
      return fault ?? disorder(evidence, rest, false);
    },
  },
  {
    id: "decisions.once",
    group: "groups",
    clause: "§4",
    title: "Every request is decided once, none is invented",
    judge: ({ rows, rowOf, requestOf, columns }) => {
      if (rows === null) return undefined;
      if (rowOf.size !== rows.length) return "an id is decided twice";
      return (
        firstFault(columns.reqId, (id) => (rowOf.has(id) ? null : `${id} is not decided`)) ??
        firstFault(rows, ({ req_id }) => (requestOf.has(req_id) ? null : `${req_id} is no request`))
      );
    },
  },
  {
    id: "decisions.tenant",
    group: "groups",
    clause: "§4",
    title: "Each decision names the tenant of its request",
    judge: (evidence) =>
      evidence.rows === null
        ? undefined
        : firstFault(evidence.rows, ({ req_id, tenant }) => {
            const request = evidence.requestOf.get(req_id);
            return request === undefined
              ? null
              : unequal(`tenant of ${req_id}`, tenant, tenantName(evidence, request));
          }),
  },
];
