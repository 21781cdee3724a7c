import { isRows } from "../../contract/rows.ts";
import type { Check, Expected, Finding, ReportObject } from "./check.ts";
import { fieldOf, fieldsOf, rowsOf } from "./check.ts";
import { surplusFields } from "./surplus-fields.ts";

/** §4 `ok`, computed again from what the report itself holds; null where it holds too little to tell. */
function contentOk(report: ReportObject): boolean | null {
  const requests = fieldOf(report.input, "requests");
  const counts = ["accepted", "queued", "rejected"].map((field) => fieldOf(report.counts, field));
  if (!isRows(report.decisions) || typeof requests !== "number") return null;
  if (!counts.every((count) => typeof count === "number")) return null;
  const closing = Object.values(fieldsOf(report.per_tenant)).map((bucket) =>
    fieldOf(bucket, "closing_tokens"),
  );
  const addsUp = counts.reduce((sum: number, count) => sum + (count as number), 0) === requests;
  const isNegative = closing.some((tokens) => typeof tokens === "number" && tokens < 0);
  return report.decisions.length === requests && addsUp && !isNegative;
}

const okCheck: Check = {
  id: "ok",
  clause: "§4",
  title: "The report's own claim",
  section: "report",
  *findings(report) {
    const expected = contentOk(report);
    if (expected === null)
      yield { path: "ok", reported: report.ok, expected: undefined, result: "indeterminate" };
    else yield { path: "ok", reported: report.ok, expected };
  },
};

const shapeCheck: Check = {
  id: "report.shape",
  clause: "§4",
  title: "Fields of the report",
  section: "report",
  *findings(report, expected) {
    yield { path: "version", reported: report.version, expected: 1 };
    for (const field of ["name", "version"]) {
      const reported = fieldOf(report.engine, field);
      const isText = typeof reported === "string" && reported !== "";
      yield {
        path: `engine.${field}`,
        reported,
        expected: isText ? reported : "a text",
        result: isText ? "match" : "indeterminate",
      };
    }
    yield* surplusFields(report, expected);
  },
};

const DIGESTS = ["contract_sha256", "policy_sha256", "stream_sha256"] as const;

function* inputFindings(report: ReportObject, { input }: Expected): Generator<Finding> {
  for (const field of DIGESTS)
    yield { path: `input.${field}`, reported: fieldOf(report.input, field), expected: input[field] };
  yield { path: "input.requests", reported: fieldOf(report.input, "requests"), expected: input.requests };
  const skipped = fieldOf(report.input, "skipped");
  yield { path: "input.skipped.count", reported: fieldOf(skipped, "count"), expected: input.skipped.count };
  const list = fieldOf(skipped, "lines");
  const lines = rowsOf(list);
  yield {
    path: "input.skipped.lines.length",
    reported: isRows(list) ? lines.length : undefined,
    expected: input.skipped.lines.length,
  };
  for (let place = 0; place < Math.max(lines.length, input.skipped.lines.length); place++)
    yield {
      path: `input.skipped.lines[${place}].line`,
      reported: fieldOf(lines.at(place), "line"),
      expected: input.skipped.lines[place]?.line ?? null,
    };
}

/** What the report says of itself and of its inputs (§4). */
export const reportChecks: Check[] = [
  shapeCheck,
  okCheck,
  {
    id: "input",
    clause: "§4",
    title: "Digests and sizes of the inputs",
    section: "report",
    findings: inputFindings,
  },
];

/** Both checksums: against the reference, and against the report's own content (§4). */
export const checksumChecks: Check[] = [
  {
    id: "checksum",
    clause: "§4",
    title: "Checksum of the figures",
    section: "checksum",
    *findings(report, { checksum }) {
      yield { path: "checksum", reported: report.checksum, expected: checksum };
    },
  },
  {
    id: "checksum.content",
    clause: "§4",
    title: "Checksum of the report's own content",
    section: "checksum",
    *findings(report, { contentChecksum }) {
      yield contentChecksum === null
        ? { path: "checksum", reported: report.checksum, expected: undefined, result: "indeterminate" }
        : { path: "checksum", reported: report.checksum, expected: contentChecksum };
    },
  },
];
