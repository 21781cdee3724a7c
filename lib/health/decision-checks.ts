import type { Decision } from "../../contract/report.ts";
import type { Check, Expected, Finding, ReportObject } from "./check.ts";
import { fieldOf, rowsOf } from "./check.ts";

/** The reported decisions by id, with their places; a second one of the same id is kept apart. */
interface DecisionIndex {
  byId: ReadonlyMap<string, { place: number; row: unknown }>;
  repeated: { place: number; req_id: string }[];
}

/** One index a comparison, made by the first check that asks: each comparison has an object of its own. */
const indices = new WeakMap<object, DecisionIndex>();

function indexOf(report: ReportObject): DecisionIndex {
  const known = indices.get(report);
  if (known !== undefined) return known;
  const byId = new Map<string, { place: number; row: unknown }>();
  const repeated: DecisionIndex["repeated"] = [];
  rowsOf(report.decisions).forEach((row, place) => {
    const req_id = fieldOf(row, "req_id");
    if (typeof req_id !== "string") return;
    if (byId.has(req_id)) repeated.push({ place, req_id });
    else byId.set(req_id, { place, row });
  });
  const index = { byId, repeated };
  indices.set(report, index);
  return index;
}

const presenceCheck: Check = {
  id: "decisions.present",
  clause: "§4",
  title: "Every request is decided once",
  section: "decisions",
  *findings(report, { figures }): Generator<Finding> {
    const { byId, repeated } = indexOf(report);
    const hasTable = Array.isArray(report.decisions);
    const known = new Set<string>();
    for (const { req_id } of figures.decisions) {
      known.add(req_id);
      const found = byId.get(req_id);
      yield {
        path: found === undefined ? "decisions" : `decisions[${found.place}]`,
        subject: req_id,
        reported: found !== undefined ? "decided" : hasTable ? "not decided" : undefined,
        expected: "decided",
      };
    }
    for (const [req_id, { place }] of byId)
      if (!known.has(req_id))
        yield {
          path: `decisions[${place}]`,
          subject: req_id,
          reported: "decided",
          expected: "no such request",
        };
    for (const { place, req_id } of repeated)
      yield {
        path: `decisions[${place}]`,
        subject: req_id,
        reported: "decided again",
        expected: "decided once",
      };
  },
};

const FIELDS = {
  tenant: ["§4", "Tenant of each decision"],
  verdict: ["§3.4", "Verdict of each decision"],
  reason: ["§3.4", "Reason of each decision"],
  wait_ms: ["§3.3", "Wait of each decision"],
  reserve_breached: ["§3.4", "Whether each decision broke the reserve"],
} as const;

const fieldChecks = Object.entries(FIELDS).map(
  ([field, [clause, title]]): Check => ({
    id: `decisions.${field}`,
    clause,
    title,
    section: "decisions",
    *findings(report, { figures }: Expected): Generator<Finding> {
      const { byId } = indexOf(report);
      for (const expected of figures.decisions) {
        const found = byId.get(expected.req_id);
        if (found === undefined) continue;
        yield {
          path: `decisions[${found.place}].${field}`,
          subject: expected.req_id,
          reported: fieldOf(found.row, field),
          expected: expected[field as keyof Decision],
        };
      }
    },
  }),
);

/** Which requests are decided, and a check for each field of a decision; rows are matched by id, not by place. */
export const decisionChecks: Check[] = [presenceCheck, ...fieldChecks];

/** Compares two lists of ids place by place, and their lengths. */
function* comparePlaces(name: string, reported: unknown, expected: readonly string[]): Generator<Finding> {
  const rows = rowsOf(reported);
  yield {
    path: `${name}.length`,
    reported: Array.isArray(reported) ? rows.length : undefined,
    expected: expected.length,
  };
  for (let place = 0; place < expected.length; place++)
    yield {
      path: `${name}[${place}]`,
      subject: expected[place]!,
      reported: rows[place],
      expected: expected[place],
    };
  for (let place = expected.length; place < rows.length; place++)
    yield { path: `${name}[${place}]`, reported: rows[place], expected: null, result: "mismatch" };
}

/** The order of dispatch, and that of the decisions (§3.5, §4). */
export const orderChecks: Check[] = [
  {
    id: "dispatch_order",
    clause: "§3.5",
    title: "Order of dispatch",
    section: "order",
    findings: (report, { figures }) =>
      comparePlaces("dispatch_order", report.dispatch_order, figures.dispatch_order),
  },
  {
    id: "decisions.order",
    clause: "§4",
    title: "Order of the decisions",
    section: "order",
    findings: (report, { figures }) =>
      comparePlaces(
        "decisions",
        Array.isArray(report.decisions)
          ? report.decisions.map((row: unknown) => fieldOf(row, "req_id"))
          : undefined,
        figures.decisions.map(({ req_id }) => req_id),
      ),
  },
];
