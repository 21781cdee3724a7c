import { z } from "zod";
import { fieldPath, type InputProblem, type InputResult, issueProblems } from "./input.ts";
import { nameFault, nameSchema } from "./name.ts";
import { integerSchema } from "./number.ts";
import { RATE_UNIT_MS } from "./rate.ts";

/** Values that stand for absent fields (G1). */
export const GATE_DEFAULTS = { hold_ms: 30_000, max_entries: 10_000, v4: 24, v6: 48 } as const;
/** Largest count of requests, tokens or price: that of every number of the contract (§1.4). */
export const GATE_COUNT_MAX = 1_000_000_000_000;

const DURATION = /^([1-9][0-9]{0,6})(ms|s|m|h|d)$/;
const DURATION_COUNT_MAX = 1_000_000;

/** Milliseconds of a duration such as `"250ms"` or `"1d"`; null where the text is none (G1). */
export function durationMs(text: string): number | null {
  const match = DURATION.exec(text);
  if (match === null || Number(match[1]) > DURATION_COUNT_MAX) return null;
  return Number(match[1]) * RATE_UNIT_MS[match[2] as keyof typeof RATE_UNIT_MS];
}

/**
 * Judges of texts that need a library: each returns why a text is refused, or null. The gate hands in RE2 and an
 * address library; without them every text passes, and whoever compiles the configuration must judge.
 */
export interface GateTextFaults {
  expression(text: string): string | null;
  network(text: string): string | null;
}

const judged = (fault: (text: string) => string | null, expected: string) =>
  z.string({ error: `expected ${expected}` }).superRefine((text, context) => {
    const message = fault(text);
    if (message !== null) context.addIssue({ code: "custom", message });
  });

/** `auth` (G1) names the field at fault itself, which a union of schemas would not. */
const authSchema = z
  .unknown()
  .meta({ description: '"on", "off" or { "freebie": 1 … 65535 }' })
  .transform((value, context): "on" | "off" | { freebie: number } => {
    if (value === "on" || value === "off") return value;
    const parsed = z.strictObject({ freebie: integerSchema(1, 65_535) }).safeParse(value);
    if (parsed.success) return parsed.data;
    const object = typeof value === "object" && value !== null && !Array.isArray(value);
    if (object)
      for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as never);
    else
      context.addIssue({
        code: "custom",
        message: `${value === undefined ? "is missing" : "is not known"}; expected "on", "off" or { "freebie": N }`,
      });
    return z.NEVER;
  });

const perSchema = z
  .string({ error: 'expected a duration, such as "1s" or "250ms"' })
  .meta({ pattern: DURATION.source })
  .refine((text) => durationMs(text) !== null, {
    message:
      'is no duration; expected a whole number ≥ 1 and a unit, such as "250ms", "1s", "1m", "1h" or "1d"',
  });

const upstreamSchema = z.url({ protocol: /^https?$/, error: "is no URL; expected http:// or https://" });

function ruleSchema(faults: GateTextFaults) {
  return z
    .strictObject({
      id: nameSchema,
      path: judged(faults.expression, "an RE2 expression").optional(),
      requests: integerSchema(1, GATE_COUNT_MAX),
      per: perSchema,
      burst: integerSchema(1, GATE_COUNT_MAX).optional(),
    })
    .transform((rule) => ({ ...rule, burst: rule.burst ?? rule.requests }));
}

function serviceSchema(faults: GateTextFaults) {
  const expression = judged(faults.expression, "an RE2 expression").optional();
  return z.strictObject({
    name: nameSchema,
    host: expression,
    path: expression,
    upstream: upstreamSchema.optional(),
    auth: authSchema,
    price: integerSchema(0, GATE_COUNT_MAX),
    challenge: integerSchema(401, 402)
      .optional()
      .transform((status) => (status ?? 402) as 401 | 402),
    rules: z.array(ruleSchema(faults)),
    max_entries: integerSchema(1, 10_000_000)
      .optional()
      .transform((most) => most ?? GATE_DEFAULTS.max_entries),
    on_pressure: z.enum(["evict", "deny"]).default("evict"),
    client_prefix: z
      .strictObject({ v4: integerSchema(0, 32), v6: integerSchema(0, 128) })
      .optional()
      .transform((prefix) => prefix ?? { v4: GATE_DEFAULTS.v4, v6: GATE_DEFAULTS.v6 }),
    on_unavailable: z.enum(["deny", "allow"]).default("deny"),
  });
}

const schemas = new WeakMap<GateTextFaults, ReturnType<typeof buildSchema>>();

/** The shape of a gate's configuration, built once for each set of judges. */
export function gateConfigSchema(faults: GateTextFaults) {
  const schema = schemas.get(faults) ?? buildSchema(faults);
  schemas.set(faults, schema);
  return schema;
}

/** The shape of a gate's configuration (G1); the output is its normal form, with the defaults filled in (G8). */
function buildSchema(faults: GateTextFaults) {
  return z.strictObject({
    services: z.array(serviceSchema(faults)).min(1, "expected at least one service"),
    hold_ms: integerSchema(1, 3_600_000)
      .optional()
      .transform((hold) => hold ?? GATE_DEFAULTS.hold_ms),
    trusted_proxies: z.array(judged(faults.network, "a CIDR network")).default([]),
  });
}

/** A validated configuration in normal form. */
export type GateConfig = z.output<ReturnType<typeof gateConfigSchema>>;
export type GateService = GateConfig["services"][number];
export type GateRule = GateService["rules"][number];

const listOf = (value: unknown, field: string): unknown[] => {
  const list = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[field] : null;
  return Array.isArray(list) ? list : [];
};

/** Names that a list repeats, as problems. Looks at the raw value, so that other problems do not hide these (G1). */
function repeatedNames(entries: unknown[], field: "name" | "id", path: (string | number)[]): InputProblem[] {
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    if (typeof entry !== "object" || entry === null) return [];
    const name = (entry as Record<string, unknown>)[field];
    if (nameFault(name) !== null) return [];
    if (!seen.has(name as string)) {
      seen.add(name as string);
      return [];
    }
    const where = fieldPath([...path, index, field]);
    return [
      {
        file: "",
        path: where,
        message: `is there twice; expected unique ${field === "id" ? "rule ids" : "service names"}`,
      },
    ];
  });
}

/**
 * Validates a configuration (G1) and fills in its defaults (G8). The result shares nothing with `value`; its numbers
 * may be `NumberText`, as readers of JSON hand them over. Refused: every problem, each with its path.
 */
export function readGateConfig(
  value: unknown,
  faults: GateTextFaults,
  file = "config",
): InputResult<GateConfig> {
  const parsed = gateConfigSchema(faults).safeParse(value);
  const services = listOf(value, "services");
  const repeats = [
    ...repeatedNames(services, "name", ["services"]),
    ...services.flatMap((service, index) =>
      repeatedNames(listOf(service, "rules"), "id", ["services", index, "rules"]),
    ),
  ].map((problem) => ({ ...problem, file }));
  if (parsed.success && repeats.length === 0) return { ok: true, value: parsed.data };
  return { ok: false, problems: [...(parsed.success ? [] : issueProblems(parsed.error, file)), ...repeats] };
}
