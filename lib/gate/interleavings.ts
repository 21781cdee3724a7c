import fc from "fast-check";
import type { GateStep } from "../../contract/gate-case.ts";

/**
 * Random interleavings of everything that can happen to a gate (G1–G8), for property tests. Bounds, bursts and holds are
 * tiny, so that few steps meet every edge.
 */
const path = fc.constantFrom("/a", "/b", "/a/b", "/%61//b/../x?q");
const rule = fc.record(
  {
    id: fc.constantFrom("a", "b", "c", "__proto__"),
    path: fc.constantFrom("^/a", "b", "^/(a|b)$"),
    requests: fc.constantFrom(1, 1, 2, 3, 7),
    per: fc.constantFrom("1ms", "3ms", "7ms", "10ms", "12ms", "1s"),
    burst: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: ["id", "requests", "per"] },
);
/** Counts so large that plain numbers would not be exact. */
const hugeRule = fc.record({
  id: fc.constantFrom("a", "b"),
  requests: fc.constantFrom(1, 999_999_999_989),
  per: fc.constantFrom("1000000d", "999983h"),
  burst: fc.constantFrom(1, 999_999_999_999),
});
const service = (name: string, servicePath?: string) =>
  fc.record(
    {
      name: fc.constant(name),
      ...(servicePath === undefined ? {} : { path: fc.constant(servicePath) }),
      auth: fc.constantFrom("off", "off", "on", { freebie: 1 }, { freebie: 2 }),
      price: fc.constantFrom(0, 5),
      rules: fc.uniqueArray(fc.oneof({ weight: 9, arbitrary: rule }, { weight: 1, arbitrary: hugeRule }), {
        minLength: 0,
        maxLength: 3,
        selector: ({ id }) => id,
      }),
      max_entries: fc.integer({ min: 1, max: 5 }),
      on_pressure: fc.constantFrom("evict", "deny"),
      client_prefix: fc.constantFrom({ v4: 24, v6: 48 }, { v4: 32, v6: 64 }),
    },
    { requiredKeys: ["name", "auth", "price", "rules"] },
  );
const config = fc.record(
  {
    services: fc.oneof(
      { weight: 3, arbitrary: fc.tuple(service("one")) },
      { weight: 1, arbitrary: fc.tuple(service("one", "^/a"), service("two")) },
    ),
    hold_ms: fc.integer({ min: 1, max: 40 }),
  },
  { requiredKeys: ["services", "hold_ms"] },
);

/** One value most of the time, another kind else. */
const mostly = <T>(weight: number, usual: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const ip = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom("192.0.2.1", "192.0.2.9", "192.0.3.1", "::ffff:192.0.4.1", "2001:db8::1"),
  },
  { weight: 1, arbitrary: fc.constant("nobody") },
);
const later_ms = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 5, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: -15, max: -1 }) },
);
const requestStep = fc
  .record({
    later_ms,
    ip,
    path,
    token: mostly<string | null>(4, null, fc.constantFrom("t", "192.0.2.0/24")),
    hold: fc.boolean(),
    freebie_fails: mostly<boolean>(8, false, fc.constant(true)),
  })
  .map(({ token, ...step }) => ({ op: "request" as const, ...step, ...(token === null ? {} : { token }) }));
const endStep = fc.record({
  op: fc.constantFrom("commit" as const, "cancel" as const, "cancel" as const),
  later_ms,
  back: mostly<number>(2, 0, fc.nat(5)),
});
/** A new configuration, the one before again, or that with another bound, burst or hold. */
const publishStep = fc.record({
  op: fc.constant("publish" as const),
  later_ms,
  config: fc.oneof(
    { weight: 3, arbitrary: config },
    { weight: 1, arbitrary: fc.constant({ services: [] }) },
    { weight: 2, arbitrary: fc.constant("again" as const) },
    {
      weight: 4,
      arbitrary: fc.record({
        field: fc.constantFrom("max_entries", "burst", "hold_ms"),
        to: fc.integer({ min: 1, max: 4 }),
      }),
    },
  ),
});
const steps = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: requestStep },
    { weight: 4, arbitrary: endStep },
    { weight: 1, arbitrary: publishStep },
  ),
  { minLength: 1, maxLength: 40, size: "max" },
);

type RawStep = typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never;
type RawConfig = typeof config extends fc.Arbitrary<infer T> ? T : never;
type RawUpdate = Extract<RawStep, { op: "publish" }>["config"];

/** What an update is, given the configuration before it. */
function updated(update: RawUpdate, before: RawConfig): RawConfig | { services: [] } {
  if (update === "again") return before;
  if ("services" in update) return update as RawConfig;
  const { field, to } = update;
  if (field === "hold_ms") return { ...before, hold_ms: to };
  const change = (one: RawConfig["services"][number]) =>
    field === "max_entries"
      ? { ...one, max_entries: to }
      : { ...one, rules: one.rules.map((each) => ({ ...each, burst: to })) };
  return { ...before, services: before.services.map(change) as unknown as RawConfig["services"] };
}

/** Gives held requests labels, ends a label to end, updates what they change, and each step its time. */
function timed(start: RawConfig, raw: RawStep[]): GateStep[] {
  let at = 20;
  let labels = 0;
  let live = start;
  return raw.map(({ later_ms: delta, ...step }): GateStep => {
    at = Math.max(0, at + delta);
    if (step.op === "request") return step.hold ? { ...step, at, as: `l${labels++}` } : { ...step, at };
    if (step.op !== "publish")
      return { op: step.op, at, of: `l${labels - 1 - (step.back % Math.max(1, labels))}` };
    const next = updated(step.config, live);
    if (next.services.length > 0) live = next as RawConfig;
    return { op: "publish", at, config: next };
  });
}
/** A configuration and steps from a time on. */
export const gateCase = fc
  .record({ config, steps })
  .map(({ config: start, steps: raw }) => ({ config: start, steps: timed(start, raw) }));

/** JSON in which the entries of an object stand in the order of their keys; a list, since an object would lose `__proto__`. */
export const plain = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (isObject(part) ? sorted(part) : part));
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
