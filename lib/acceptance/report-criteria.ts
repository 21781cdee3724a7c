import { type AcceptanceCriterion, unequal } from "./criterion.ts";

const DIGEST = /^[0-9a-f]{64}$/;

export const reportCriteria: AcceptanceCriterion[] = [
  {
    id: "report.parts",
    group: "report",
    clause: "§4",
    title: "The report has all its parts",
    judge: ({ rows, buckets, dispatch, counts, totals }) =>
      [rows, buckets, dispatch, counts, totals].includes(null)
        ? "a part is missing or has the wrong shape"
        : null,
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
    judge: ({ fields, rows, buckets, columns }) => {
      if (typeof fields.ok !== "boolean" || rows === null || buckets === null) return undefined;
      const isSound =
        rows.length === columns.count &&
        ![...buckets.values()].some(({ closing_tokens }) => closing_tokens < 0);
      return unequal("ok", fields.ok, isSound);
    },
  },
  {
    id: "report.digests",
    group: "inputs",
    clause: "§4",
    title: "The inputs are named by their digests",
    judge: ({ fields }) => {
      const input = fields.input as Record<string, unknown> | null | undefined;
      if (typeof input !== "object" || input === null) return undefined;
      const bad = ["contract_sha256", "policy_sha256", "stream_sha256"].find(
        (field) => typeof input[field] !== "string" || !DIGEST.test(input[field]),
      );
      return bad === undefined ? null : `${bad} is no digest`;
    },
  },
  {
    id: "report.requests",
    group: "inputs",
    clause: "§4",
    title: "As many requests as the stream has valid lines",
    judge: ({ fields, columns }) => {
      const input = fields.input as Record<string, unknown> | null | undefined;
      return typeof input?.requests === "number"
        ? unequal("requests", input.requests, columns.count)
        : undefined;
    },
  },
];
