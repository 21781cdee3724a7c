import { PlacesById } from "../../contract/places-by-id.ts";
import type { Decision } from "../../contract/report.ts";
import { isRows, type Rows } from "../../contract/rows.ts";
import type { Agreement, Check, Expected, Finding, ReportObject } from "./check.ts";
import { fieldOf, rowsOf } from "./check.ts";
import { compareValues } from "./compare-values.ts";

/** Where the report decides each expected request, and what else it decides. */
interface DecisionIndex {
  /** Place of the decision of each expected request, in their order; -1 where there is none. */
  placeOf: Int32Array;
  /** Decisions of requests that are not expected, and second ones of the same request. */
  surplus: Iterable<Surplus>;
  /** Of each expected request the fields that do not match, one bit each; made by the first check that asks in brief. */
  differing?: Uint8Array;
}

interface Surplus {
  place: number;
  req_id: string;
  isRepeated: boolean;
}

/** One index a comparison, made by the first check that asks: each comparison has an object of its own. */
const indices = new WeakMap<object, DecisionIndex>();

function indexOf(report: ReportObject, { figures }: Expected): DecisionIndex {
  const known = indices.get(report);
  if (known !== undefined) return known;
  const rows = rowsOf(report.decisions);
  const index = isInOrder(rows, figures.decisions)
    ? { placeOf: new Int32Array(rows.length).map((_, place) => place), surplus: [] }
    : indexById(rows, figures.decisions);
  indices.set(report, index);
  return index;
}

function isInOrder(rows: Rows<unknown>, decisions: Rows<Decision>): boolean {
  if (rows.length !== decisions.length) return false;
  for (let place = 0; place < rows.length; place++)
    if (fieldOf(rows.at(place), "req_id") !== decisions.at(place)!.req_id) return false;
  return true;
}

/**
 * Finds decisions by id, not by place, so that one shifted row is not a mismatch of every row's fields. What is surplus
 * is found when it is asked for: it may be all of ten million.
 */
function indexById(rows: Rows<unknown>, decisions: Rows<Decision>): DecisionIndex {
  const idAt = (place: number): string | null => {
    const req_id = fieldOf(rows.at(place), "req_id");
    return typeof req_id === "string" ? req_id : null;
  };
  const byId = new PlacesById(rows.length, idAt);
  const placeOf = new Int32Array(decisions.length);
  const isExpected = new Uint8Array(rows.length);
  let found = 0;
  for (let at = 0; at < placeOf.length; at++) {
    const place = byId.find(decisions.at(at)!.req_id);
    placeOf[at] = place;
    if (place < 0) continue;
    isExpected[place] = 1;
    found += 1;
  }
  // Nobody asks for anything by its id any more: of ten million that is worth letting go.
  if (found === rows.length) return { placeOf, surplus: [] };
  const surplusOf = function* (isRepeated: boolean): Generator<Surplus> {
    for (let place = 0; place < rows.length; place++) {
      const req_id = isExpected[place] === 1 ? null : idAt(place);
      if (req_id !== null && (byId.find(req_id) !== place) === isRepeated)
        yield { place, req_id, isRepeated };
    }
  };
  const surplus = function* (): Generator<Surplus> {
    yield* surplusOf(true);
    yield* surplusOf(false);
  };
  return { placeOf, surplus: { [Symbol.iterator]: surplus } };
}

const presenceCheck: Check = {
  id: "decisions.present",
  clause: "§4",
  title: "Every request is decided once",
  section: "decisions",
  *findings(report, expected, isBrief): Generator<Finding | Agreement> {
    const { decisions } = expected.figures;
    if (report.decisions === decisions) return yield { agreed: decisions.length };
    const { placeOf, surplus } = indexOf(report, expected);
    const undecided = isRows(report.decisions) ? "not decided" : undefined;
    let agreed = 0;
    for (let at = 0; at < decisions.length; at++) {
      const place = placeOf[at]!;
      if (isBrief && place >= 0) {
        agreed += 1;
        continue;
      }
      yield {
        path: place < 0 ? "decisions" : `decisions[${place}]`,
        subject: decisions.at(at)!.req_id,
        reported: place < 0 ? undecided : "decided",
        expected: "decided",
      };
    }
    yield { agreed };
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

type Field = keyof typeof FIELDS;
const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/**
 * The fields that do not match, of all decisions in one pass: each row is made once for all checks of its fields, where ten
 * million of them, made again for each, took longer than to decide them.
 */
function differingFields(report: ReportObject, expected: Expected): Uint8Array {
  const { decisions } = expected.figures;
  const index = indexOf(report, expected);
  if (index.differing !== undefined) return index.differing;
  const rows = rowsOf(report.decisions);
  const differing = new Uint8Array(decisions.length);
  for (let at = 0; at < decisions.length; at++) {
    const place = index.placeOf[at]!;
    if (place < 0) continue;
    const reported = rows.at(place);
    const decision = decisions.at(at)!;
    for (let bit = 0; bit < FIELD_NAMES.length; bit++) {
      const field = FIELD_NAMES[bit]!;
      if (compareValues(fieldOf(reported, field), decision[field]) !== "match") differing[at]! |= 1 << bit;
    }
  }
  index.differing = differing;
  return differing;
}

const fieldChecks = FIELD_NAMES.map((field, bit): Check => {
  const [clause, title] = FIELDS[field];
  return {
    id: `decisions.${field}`,
    clause,
    title,
    section: "decisions",
    *findings(report, expected, isBrief): Generator<Finding | Agreement> {
      const { decisions } = expected.figures;
      if (report.decisions === decisions) return yield { agreed: decisions.length };
      const { placeOf } = indexOf(report, expected);
      const differing = isBrief ? differingFields(report, expected) : null;
      const rows = rowsOf(report.decisions);
      let agreed = 0;
      for (let at = 0; at < decisions.length; at++) {
        const place = placeOf[at]!;
        if (place < 0) continue;
        if (differing !== null && (differing[at]! & (1 << bit)) === 0) {
          agreed += 1;
          continue;
        }
        const decision = decisions.at(at)!;
        yield {
          path: `decisions[${place}].${field}`,
          subject: decision.req_id,
          reported: fieldOf(rows.at(place), field),
          expected: decision[field],
        };
      }
      yield { agreed };
    },
  };
});

/** Which requests are decided, and a check for each field of a decision; rows are matched by id, not by place. */
export const decisionChecks: Check[] = [presenceCheck, ...fieldChecks];

/** Compares two lists of ids place by place, and their lengths. `idOf` finds the id in a reported row. */
function* comparePlaces(
  name: string,
  reported: unknown,
  expected: Rows<unknown>,
  idOf: (row: unknown) => unknown,
  isBrief: boolean,
): Generator<Finding | Agreement> {
  const rows = rowsOf(reported);
  yield {
    path: `${name}.length`,
    reported: isRows(reported) ? rows.length : undefined,
    expected: expected.length,
  };
  if (reported === expected) return yield { agreed: expected.length };
  let agreed = 0;
  for (let place = 0; place < expected.length; place++) {
    const id = idOf(expected.at(place));
    const found = idOf(rows.at(place));
    if (isBrief && compareValues(found, id) === "match") agreed += 1;
    else yield { path: `${name}[${place}]`, subject: id as string, reported: found, expected: id };
  }
  yield { agreed };
  for (let place = expected.length; place < rows.length; place++)
    yield { path: `${name}[${place}]`, reported: idOf(rows.at(place)), expected: null, result: "mismatch" };
}

/** The order of dispatch, and that of the decisions (§3.5, §4). */
export const orderChecks: Check[] = [
  {
    id: "dispatch_order",
    clause: "§3.5",
    title: "Order of dispatch",
    section: "order",
    findings: (report, { figures }, isBrief) =>
      comparePlaces("dispatch_order", report.dispatch_order, figures.dispatch_order, (id) => id, isBrief),
  },
  {
    id: "decisions.order",
    clause: "§4",
    title: "Order of the decisions",
    section: "order",
    findings: (report, { figures }, isBrief) =>
      comparePlaces(
        "decisions",
        report.decisions,
        figures.decisions,
        (row) => fieldOf(row, "req_id"),
        isBrief,
      ),
  },
];
