import { acceptedCosts, sumOf } from "./accepted-costs.ts";
import { type AcceptanceCriterion, firstFault, unequal } from "./criterion.ts";
import { type Evidence, isObject, printed } from "./evidence.ts";

const DIGEST = /^[0-9a-f]{64}$/;
const CHECKSUM = /^[0-9a-f]{16}$/;
const DIGESTS = ["contract_sha256", "policy_sha256", "stream_sha256"] as const;

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** The parts of §4, each with whether the report has it in its shape. */
function parts({ fields, rows, buckets, dispatch, counts, totals }: Evidence): [string, boolean][] {
  const { version, engine, ok, input, checksum } = fields;
  return [
    ["version", version === 1],
    ["engine", isObject(engine) && isText(engine.name) && isText(engine.version)],
    ["ok", typeof ok === "boolean"],
    ["counts", counts !== null],
    ["totals", totals !== null],
    ["per_tenant", buckets !== null],
    ["dispatch_order", dispatch !== null],
    ["decisions", rows !== null],
    ["input", isObject(input) && isObject(input.skipped) && Array.isArray(input.skipped.lines)],
    ["checksum", typeof checksum === "string" && CHECKSUM.test(checksum)],
  ];
}

/** §4 `ok` as the content supports it; undefined where the report holds too little to tell. */
function supportedOk(evidence: Evidence): boolean | undefined {
  const { rows, buckets, counts, totals, columns } = evidence;
  if (rows === null || buckets === null || counts === null || totals === null) return undefined;
  return (
    rows.count === columns.count &&
    counts.accepted! + counts.queued! + counts.rejected! === columns.count &&
    totals.used === printed(sumOf(acceptedCosts(evidence).values())) &&
    ![...buckets.values()].some(({ closing_tokens }) => closing_tokens < 0)
  );
}

export const reportCriteria: AcceptanceCriterion[] = [
  {
    id: "report.parts",
    group: "report",
    clause: "§4",
    title: "The report has all its parts",
    judge: (evidence) =>
      firstFault(parts(evidence), ([part, isSound]) =>
        isSound ? null : `${part} is missing or has the wrong shape`,
      ),
  },
  {
    id: "report.checksum",
    group: "report",
    clause: "§4",
    title: "The checksum is that of the content",
    judge: ({ fields, contentChecksum }) =>
      contentChecksum === null ? undefined : unequal("checksum", fields.checksum, contentChecksum),
  },
  {
    id: "report.ok",
    group: "signals",
    clause: "§4",
    title: "The report does not claim what its content denies",
    judge: (evidence) => {
      const supported = supportedOk(evidence);
      const { ok } = evidence.fields;
      return supported === undefined || typeof ok !== "boolean" ? undefined : unequal("ok", ok, supported);
    },
  },
  {
    id: "report.digests",
    group: "inputs",
    clause: "§4",
    title: "The inputs are named by their digests",
    judge: ({ fields: { input } }) => {
      if (!isObject(input)) return undefined;
      return firstFault(DIGESTS, (field) =>
        typeof input[field] === "string" && DIGEST.test(input[field]) ? null : `${field} is no digest`,
      );
    },
  },
  {
    id: "report.requests",
    group: "inputs",
    clause: "§4",
    title: "As many requests as the stream has valid lines",
    judge: ({ fields: { input }, columns }) =>
      isObject(input) && typeof input.requests === "number"
        ? unequal("requests", input.requests, columns.count)
        : undefined,
  },
];
