import { z } from "zod";
import { NumberText } from "./decimal.ts";
import type { GateEnd, GateReason } from "./gate-reasons.ts";

/** A time in milliseconds (G13): whole, and exact as a JavaScript number. */
export const momentSchema = z.unknown().transform((value, context): number => {
  const text = value instanceof NumberText ? value.text : typeof value === "number" ? String(value) : "";
  if (/^(0|[1-9][0-9]*)$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  context.addIssue({ code: "custom", message: "is no time; expected whole milliseconds, 0 … 2^53 − 1" });
  return z.NEVER;
});

const requestStep = z.strictObject({
  op: z.literal("request"),
  at: momentSchema,
  ip: z.string(),
  path: z.string(),
  host: z.string().optional(),
  /** Stands for a validated credential. */
  token: z.string().optional(),
  /** Keeps the admission provisional, under the label `as`. */
  hold: z.boolean().optional(),
  as: z.string().optional(),
  freebie_fails: z.boolean().optional(),
});
const endStep = z.strictObject({ op: z.enum(["commit", "cancel"]), at: momentSchema, of: z.string() });
const publishStep = z.strictObject({
  op: z.literal("publish"),
  at: momentSchema,
  config: z.unknown(),
  refused: z.boolean().optional(),
});
export const gateStepSchema = z.discriminatedUnion("op", [requestStep, endStep, publishStep]);

const tally = z.int().min(0);
const outcome = z.record(z.string(), z.unknown());

/** A case of the gate (G13). The configuration and what is expected are judged by whoever plays the case. */
export const gateCaseSchema = z
  .strictObject({
    name: z.string().min(1),
    clause: z
      .string()
      .regex(/^G\d+$/)
      .optional(),
    why: z.string().min(1).optional(),
    config: z.unknown(),
    steps: z.array(gateStepSchema),
    expected: z.array(outcome).optional(),
    ledger: z
      .strictObject({
        reserved: tally,
        committed: tally,
        cancelled: tally,
        expired: tally,
        outstanding: tally,
      })
      .optional(),
    evictions: z.strictObject({ full: tally, lossy: tally }).optional(),
  })
  .superRefine(({ steps }, context) => {
    const labels = new Set<string>();
    steps.forEach((step, index) => {
      if (step.op !== "request" || step.hold !== true) return;
      const label = step.as;
      if (label === undefined || labels.has(label))
        context.addIssue({
          code: "custom",
          path: ["steps", index, "as"],
          message: `is ${label === undefined ? "missing" : "there twice"}; expected a label of its own for each held request`,
        });
      else labels.add(label);
    });
  });

export type GateCase = z.output<typeof gateCaseSchema>;
export type GateStep = GateCase["steps"][number];
export type GateRequestStep = z.output<typeof requestStep>;
export type GateEndStep = z.output<typeof endStep>;
export type GatePublishStep = z.output<typeof publishStep>;

/** At every moment reserved = committed + cancelled + expired + outstanding (G4). */
export interface GateLedger {
  reserved: number;
  committed: number;
  cancelled: number;
  expired: number;
  outstanding: number;
}
/** How many buckets were forgotten for want of room (G6). */
export interface GateEvictions {
  full: number;
  lossy: number;
}
/** Balances by rule id; without a prototype, since a rule may be named `__proto__`. Doubles nearest to the exact. */
export type GateBalances = Record<string, number>;

/** What a request came to (G13). `client` is null where the peer is no address. */
export type GateRequestOutcome =
  | { verdict: "unmatched" | "challenged" }
  | { client: string; rules: string[]; verdict: "allowed" | "error"; balances: GateBalances }
  | {
      client: string | null;
      rules: string[];
      verdict: "denied";
      reason: GateReason;
      denied_by: string[];
      retry_after_ms: number | null;
      balances: GateBalances;
    };
/** What ending an admission came to (G4, G13). */
export type GateEndOutcome =
  | { ended: "committed" | "cancelled"; balances: GateBalances }
  | { ended: "already"; was: GateEnd }
  | { ended: "unknown" };
/** What an update came to (G8): the version is the one now live. */
export interface GatePublishOutcome {
  published: boolean;
  version: number;
}
export type GateOutcome = GateRequestOutcome | GateEndOutcome | GatePublishOutcome;

/** What playing a case found, in the shape of the case files. */
export interface GateCaseResult {
  expected: GateOutcome[];
  ledger: GateLedger;
  evictions: GateEvictions;
}
