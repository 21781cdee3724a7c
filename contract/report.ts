import { z } from "zod";
import type { SkippedLines } from "./request.ts";
import type { Rows } from "./rows.ts";
import { REASONS, VERDICTS } from "./verdicts.ts";

const count = z.int().min(0);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const countsSchema = z.strictObject({
  accepted: count,
  queued: count,
  rejected: count,
  reserve_breached: count,
});
export const totalsSchema = z.strictObject({
  capacity: z.number(),
  used: z.number(),
  over_capacity: z.number(),
});
export const tenantReportSchema = z.strictObject({
  tier: z.string(),
  capacity: z.number(),
  opening_tokens: z.number(),
  closing_tokens: z.number(),
  reserve_tokens: z.number(),
  reserve_breached: z.boolean(),
  used: z.number(),
  accepted: count,
  queued: count,
  rejected: count,
});
export const decisionSchema = z.strictObject({
  req_id: z.string(),
  tenant: z.string(),
  verdict: z.enum(VERDICTS),
  reason: z.enum(REASONS).nullable(),
  wait_ms: z.int().min(0).nullable(),
  reserve_breached: z.boolean(),
});
const lineProblemSchema = z.strictObject({ line: z.int().min(1), field: z.string(), reason: z.string() });
const inputSchema = z.strictObject({
  contract_sha256: digest,
  policy_sha256: digest,
  stream_sha256: digest,
  requests: count,
  skipped: z.strictObject({ count, lines: z.array(lineProblemSchema) }),
});

/**
 * A report (§4), as JSON Schema describes it to other programs. Reports under judgement are never run through this
 * schema: health looks at each field by itself, so that one bad field does not hide the others.
 */
export const reportSchema = z.strictObject({
  version: z.literal(1),
  engine: z.strictObject({ name: z.string(), version: z.string() }),
  ok: z.boolean(),
  counts: countsSchema,
  totals: totalsSchema,
  per_tenant: z.record(z.string(), tenantReportSchema),
  dispatch_order: z.array(z.string()),
  decisions: z.array(decisionSchema),
  input: inputSchema,
  checksum: z.string().regex(/^[0-9a-f]{16}$/),
});

export type Counts = z.output<typeof countsSchema>;
export type Totals = z.output<typeof totalsSchema>;
export type TenantReport = z.output<typeof tenantReportSchema>;
export type Decision = z.output<typeof decisionSchema>;

/**
 * What the checksum covers (§4). `per_tenant` has no prototype: `__proto__` is a tenant like any other (§1.4).
 */
export interface RoundFigures {
  counts: Counts;
  totals: Totals;
  per_tenant: Record<string, TenantReport>;
  dispatch_order: Rows<string>;
  decisions: Rows<Decision>;
}

/** Figures whose rows are all in memory. */
export type Held<Figures extends RoundFigures> = Omit<Figures, "dispatch_order" | "decisions"> & {
  dispatch_order: string[];
  decisions: Decision[];
};

/** Figures with all their rows in memory: for rounds that are known to be small. */
export const held = <Figures extends RoundFigures>(figures: Figures): Held<Figures> => ({
  ...figures,
  dispatch_order: [...figures.dispatch_order],
  decisions: [...figures.decisions],
});

/** Digests and sizes of what was read (§4). Digests are of the files' bytes, 64 hex digits. */
export interface ReportInput {
  contract_sha256: string;
  policy_sha256: string;
  stream_sha256: string;
  requests: number;
  skipped: SkippedLines;
}

export interface Report extends RoundFigures {
  version: 1;
  engine: { name: string; version: string };
  ok: boolean;
  input: ReportInput;
  checksum: string;
}

/** Hex digits of a checksum (§4). */
export const CHECKSUM_DIGITS = 16;
