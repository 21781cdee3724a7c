import { z } from "zod";
import { ARRIVAL_MAX_MS, COST_MAX } from "./limits.ts";
import { nameSchema } from "./name.ts";
import { decimalSchema, integerSchema } from "./number.ts";
import { TEMPLATE } from "./policy.ts";
import type { TextColumn } from "./text-column.ts";

export const MODES = ["soft", "hard"] as const;
export type Mode = (typeof MODES)[number];

/** One request of the canonical stream (§1.3). */
export const requestSchema = z.strictObject({
  req_id: nameSchema,
  tenant: nameSchema.refine((name) => name !== TEMPLATE, {
    message: 'is "*", the template; expected a tenant',
  }),
  arrival_ms: integerSchema(0, ARRIVAL_MAX_MS),
  cost: decimalSchema({ min: 0n, open: true, max: COST_MAX * 1_000_000n }),
  mode: z.enum(MODES),
});

/** A bad line of the stream (§1.3): physical line from 1, the field at fault (empty: the whole line), and why. */
export interface LineProblem {
  line: number;
  field: string;
  reason: string;
}

/** What was left out of a stream: how many lines, and the first hundred of them. */
export interface SkippedLines {
  count: number;
  lines: LineProblem[];
}

/** How bad lines are met (§1.3): strict refuses the round, lenient leaves them out and says so. */
export const READINGS = ["strict", "lenient"] as const;
export type Reading = (typeof READINGS)[number];

/**
 * The valid requests of a stream as columns, in the order of their lines. All arrays hold `count` entries.
 * A request's tenant is an index into `tenantNames`, which lists each name once, in order of first appearance.
 */
export interface RequestColumns {
  count: number;
  tenantNames: string[];
  reqId: TextColumn;
  tenant: Uint32Array;
  /** Milliseconds since the start of the round; whole. */
  arrivalMs: Float64Array;
  /** Millionths of a token; whole, at most 1e15 and so exact. */
  costMicro: Float64Array;
  /** 1 where the mode is soft. */
  soft: Uint8Array;
}
