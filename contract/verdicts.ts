// Apart from the schemas, so that a page that lists them ships no parser.

export const VERDICTS = ["accepted", "queued", "rejected"] as const;
export type Verdict = (typeof VERDICTS)[number];

export const REASONS = [
  "exceeds_capacity",
  "queue_expired",
  "insufficient_tokens",
  "denylisted",
  "unknown_tenant",
] as const;
export type Reason = (typeof REASONS)[number];
