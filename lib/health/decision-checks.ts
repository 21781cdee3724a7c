import type { Decision } from "../../contract/report.ts";
import type { Check, Expected, Finding, ReportObject } from "./check.ts";
import { fieldOf, rowsOf } from "./check.ts";

/** Where the report decides each expected request, and what else it decides. */
interface DecisionIndex {
  /** Place of the decision of each expected request, in their order; -1 where there is none. */
  placeOf: Int32Array;
  /** Decisions of requests that are not expected, and second ones of the same request. */
  surplus: { place: number; req_id: string; isRepeated: boolean }[];
}

/** One index a comparison, made by the first check that asks: each comparison has an object of its own. */
const indices = new WeakMap<object, DecisionIndex>();

function indexOf(report: ReportObject, { figures }: Expected): DecisionIndex {
  const known = indices.get(report);
  if (known !== undefined) return known;
  const rows = rowsOf(report.decisions);
  const ids = rows.map((row) => fieldOf(row, "req_id"));
  const isInOrder =
    ids.length === figures.decisions.length &&
    figures.decisions.every(({ req_id }, place) => ids[place] === req_id);
  const index = isInOrder
    ? { placeOf: Int32Array.from(ids.keys()), surplus: [] }
    : indexById(ids, figures.decisions);
  indices.set(report, index);
  return index;
}

/** Finds decisions by id, not by place, so that one shifted row is not a mismatch of every row's fields. */
function indexById(ids: readonly unknown[], decisions: readonly Decision[]): DecisionIndex {
  const byId = new Map<string, number>();
  const surplus: DecisionIndex["surplus"] = [];
  ids.forEach((req_id, place) => {
    if (typeof req_id !== "string") return;
    if (byId.has(req_id)) surplus.push({ place, req_id, isRepeated: true });
    else byId.set(req_id, place);
  });
  const placeOf = Int32Array.from(decisions, ({ req_id }) => byId.get(req_id) ?? -1);
  for (const { req_id } of decisions) byId.delete(req_id);
  for (const [req_id, place] of byId) surplus.push({ place, req_id, isRepeated: false });
  return { placeOf, surplus };
}

const presenceCheck: Check = {
  id: "decisions.present",
  clause: "§4",
  title: "Every request is decided once",
  section: "decisions",
  *findings(report, expected): Generator<Finding> {
    const { placeOf, surplus } = indexOf(report, expected);
    const undecided = Array.isArray(report.decisions) ? "not decided" : undefined;
    const { decisions } = expected.figures;
    for (let at = 0; at < decisions.length; at++) {
      const place = placeOf[at]!;
      yield {
        path: place < 0 ? "decisions" : `decisions[${place}]`,
        subject: decisions[at]!.req_id,
        reported: place < 0 ? undecided : "decided",
        expected: "decided",
      };
    }
    for (const { place, req_id, isRepeated } of surplus)
      yield {
        path: `decisions[${place}]`,
        subject: req_id,
        reported: isRepeated ? "decided again" : "decided",
        expected: isRepeated ? "decided once" : "no such request",
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
    *findings(report, expected): Generator<Finding> {
      const { placeOf } = indexOf(report, expected);
      const rows = rowsOf(report.decisions);
      const { decisions } = expected.figures;
      for (let at = 0; at < decisions.length; at++) {
        const place = placeOf[at]!;
        if (place < 0) continue;
        const decision = decisions[at]!;
        yield {
          path: `decisions[${place}].${field}`,
          subject: decision.req_id,
          reported: fieldOf(rows[place], field),
          expected: decision[field as keyof Decision],
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
