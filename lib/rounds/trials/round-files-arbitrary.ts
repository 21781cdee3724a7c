import fc from "fast-check";
import type { Contract } from "../../../contract/contract.ts";
import { GROUP_BY, REFILL } from "../../../contract/contract-choices.ts";
import { ARRIVAL_MAX_MS } from "../../../contract/limits.ts";
import { RATE_UNIT_MS } from "../../../contract/rate.ts";
import { OddSpelling, type Spellable } from "./odd-spelling.ts";

/** A random round as the texts of its three files, and how many lines of its stream are good and bad. */
export interface RandomFiles {
  contract: string;
  policy: string;
  stream: string;
  /** The stream comes in chunks of so many bytes. */
  chunk_bytes: number;
  requests: number;
  bad_lines: number;
}

type Kind = Pick<Contract, "group_by" | "refill">;

/** Every way to group and to refill (§1.1). */
export const KINDS: readonly Kind[] = GROUP_BY.flatMap((group_by) =>
  REFILL.map((refill) => ({ group_by, refill })),
);

/** Stands for a byte that is no UTF-8: put in its place when the stream is encoded. */
export const BROKEN_BYTE = "\uF8FF";

/** Names that trip plain objects, JSON, byte order, case folding, normalisation and length limits (§1.4). */
const NAMES = [
  "a",
  "__proto__",
  "constructor",
  "\u{1F600}",
  "\uE000",
  "A",
  "toString",
  "10",
  "9",
  "\u00E9",
  "e\u0301",
  "\uFFFD",
  "\uFEFFa",
  "\u2028",
  "\u0085",
  '"\\/',
  " ",
  "x".repeat(256),
  "\u00E9".repeat(128),
] as const;
/** Units of request ids: their UTF-16 order is not the order of their bytes (§3.5). */
const ID_UNITS = ["a", "A", "0", "9", "\u00E9", "\uD7FF", "\uE000", "\uFFFD", "\u{10000}", "\u{1F600}"];
const ids = fc.nat({ max: 9999 }).map((number) => [...String(number)].map((at) => ID_UNITS[+at]!).join(""));

/** Amounts of one round are multiples of one grain, in millionths, so that they meet exactly. */
const grains = fc.constantFrom(1_000_000, 100_000, 250_000, 10_000, 1, 333_333);
const TOKENS_MAX_MICRO = 10n ** 18n;
const COST_MAX_MICRO = 10n ** 15n;

/** What amounts of one round are made of. `is_wild`: now and then one that meets nothing, or leaves 2^53. */
interface Scale {
  grain: number;
  is_wild: boolean;
}
const scales: fc.Arbitrary<Scale> = fc.record({
  grain: grains,
  is_wild: fc.constantFrom(false, false, true),
});

function amounts({ grain, is_wild }: Scale, most: number, largest: bigint): fc.Arbitrary<bigint> {
  const usual = fc.integer({ min: 1, max: most }).map((times) => BigInt(times * grain));
  if (!is_wild) return usual;
  return fc.oneof(
    { weight: 12, arbitrary: usual },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3_000_000 }).map(BigInt) },
    { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: largest }) },
    { weight: 1, arbitrary: fc.constant(largest) },
  );
}

/** A rate: so many millionths every `count` units. */
interface Rate {
  micro: bigint;
  count: number;
  unit: keyof typeof RATE_UNIT_MS;
}

const periods = fc.constantFrom<Omit<Rate, "micro">[]>(
  { count: 1, unit: "s" },
  { count: 3, unit: "s" },
  { count: 250, unit: "ms" },
  { count: 7, unit: "ms" },
  { count: 1, unit: "ms" },
  { count: 1, unit: "m" },
  { count: 13, unit: "h" },
  { count: 1, unit: "d" },
  { count: 1_000_000, unit: "d" },
);
const rates = ({ grain }: Scale): fc.Arbitrary<Rate> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .integer({ min: 1, max: 9 })
        .map((times): Rate => ({ micro: BigInt(times * grain), count: 1, unit: "s" })),
    },
    {
      weight: 6,
      arbitrary: fc.tuple(fc.integer({ min: 1, max: 12 }), periods).map(
        ([times, period]): Rate => ({
          micro: BigInt(times * grain),
          ...period,
        }),
      ),
    },
    { weight: 1, arbitrary: periods.map((period): Rate => ({ micro: 0n, ...period })) },
    { weight: 1, arbitrary: fc.constant<Rate>({ micro: 10n ** 17n, count: 1, unit: "s" }) },
    { weight: 1, arbitrary: fc.constant<Rate>({ micro: 99_999_999_999_999n, count: 1, unit: "ms" }) },
  );

/** What a rate promises in a second, in millionths, rounded up: the least ceiling it may have (§1.2). */
function perSecond({ micro, count, unit }: Rate): bigint {
  const per_ms = BigInt(count * RATE_UNIT_MS[unit]);
  return (micro * 1000n + per_ms - 1n) / per_ms;
}

const entries = (scale: Scale) =>
  fc.record({
    tier: fc.nat({ max: 3 }),
    capacity: amounts(scale, 60, TOKENS_MAX_MICRO),
    rate: rates(scale),
    is_text: fc.boolean(),
    /** Quarters of the capacity; null: absent. */
    opening: fc.option(fc.nat({ max: 4 }), { freq: 4 }),
    reserve: amounts(scale, 12, TOKENS_MAX_MICRO),
  });
type Entry = ReturnType<typeof entries> extends fc.Arbitrary<infer T> ? T : never;

/** What the policy says of a tenant: an entry, the denylist, both, or nothing. */
const roles = fc.constantFrom(
  ...["listed", "listed", "listed", "listed", "listed", "listed"],
  ...["denied", "denied and listed", "not named", "not named"],
);

const contracts = fc.record({
  epoch_ms: fc.oneof(fc.constantFrom(1, 2, 250, 1000, 5000), fc.integer({ min: 1, max: 5000 })),
  grace_ms: fc.oneof(
    fc.constantFrom(0, 1, 250, 1000, 2000, 3000, 60_000, 86_400_000),
    fc.nat({ max: 20_000 }),
  ),
  tiers: fc
    .uniqueArray(fc.constantFrom("*", ...NAMES.slice(0, 6)), { minLength: 1, maxLength: 4 })
    .chain((names) =>
      fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), guaranteed: fc.boolean() }))),
    ),
  /** Millionths promised beyond the sum of the ceilings. */
  slack: fc.constantFrom(0n, 1n, 5_000_000n),
});

/** The few moments around which requests cluster: the start, edges of epochs, anything up to the last one. */
const moments = (epoch_ms: number) =>
  fc.array(
    fc.oneof(
      { weight: 2, arbitrary: fc.constant(0) },
      { weight: 4, arbitrary: fc.nat({ max: 8 }).map((epoch) => epoch * epoch_ms) },
      { weight: 4, arbitrary: fc.nat({ max: 20_000 }) },
      { weight: 1, arbitrary: fc.nat({ max: ARRIVAL_MAX_MS }) },
      { weight: 1, arbitrary: fc.constant(ARRIVAL_MAX_MS) },
    ),
    { minLength: 1, maxLength: 4 },
  );
const offsets = (epoch_ms: number) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: -2, max: 2 }) },
    { weight: 2, arbitrary: fc.nat({ max: epoch_ms }) },
  );

const requests = (scale: Scale, epoch_ms: number, tenants: number) =>
  fc.uniqueArray(
    fc.record({
      req_id: ids,
      tenant: fc.nat({ max: tenants - 1 }),
      moment: fc.nat({ max: 3 }),
      offset: offsets(epoch_ms),
      cost: amounts(scale, 6, COST_MAX_MICRO),
      hardness: fc.nat({ max: 9 }),
    }),
    { selector: ({ req_id }) => req_id, maxLength: 40, size: "max" },
  );

/** A line that breaks one rule of §1.3 or §1.4, made of a good request's members and its text. */
const BAD_LINES: readonly ((members: Record<string, Spellable>, line: string) => string)[] = [
  () => "{",
  () => "null",
  (_, line) => `${line}{}`,
  (_, line) => line.replace("{", `{"note":"${BROKEN_BYTE}",`),
  (_, line) => line.replace("}", ',"cost":1}'),
  (_, line) => `[${line}]`,
  (_, line) => `\uFEFF\uFEFF${line}`,
  (members) => JSON.stringify({ ...members, cost: 0 }),
  (members) => JSON.stringify({ ...members, cost: "1" }),
  (members) => JSON.stringify({ ...members, cost: 1e-7 }),
  (members) => JSON.stringify({ ...members, cost: 1_000_000_000.000001 }),
  (members) => JSON.stringify({ ...members, cost: 1, arrival_ms: 0.5 }),
  (members) => JSON.stringify({ ...members, cost: 1, arrival_ms: ARRIVAL_MAX_MS + 1 }),
  (members) => JSON.stringify({ ...members, cost: 1, arrival_ms: -1 }),
  (members) => JSON.stringify({ ...members, cost: 1, tenant: "*" }),
  (members) => JSON.stringify({ ...members, cost: 1, tenant: "\uD800" }),
  (members) => JSON.stringify({ ...members, cost: 1, tenant: "\u007F" }),
  (members) => JSON.stringify({ ...members, cost: 1, tenant: "x".repeat(257) }),
  (members) => JSON.stringify({ ...members, cost: 1, req_id: "" }),
  (members) => JSON.stringify({ ...members, cost: 1, mode: null }),
  (members) => JSON.stringify({ ...members, cost: 1, constructor: 1 }),
  (members) => JSON.stringify({ ...members, cost: 1, mode: undefined }),
];
/** Which way of being bad, and beside which request. `kind` beyond the list: a good line again, its id seen already. */
interface BadLine {
  kind: number;
  near: number;
}
const badLines = fc.array(
  fc.record<BadLine>({ kind: fc.nat({ max: BAD_LINES.length + 3 }), near: fc.nat({ max: 15 }) }),
  { minLength: 1, maxLength: 3 },
);

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** A tenant's entry of the policy, and what it promises a second. */
function spellEntry(
  tenant: string,
  { tier, capacity, rate, is_text, opening, reserve }: Entry,
  tiers: Contract["tiers"],
  spelling: OddSpelling,
): { members: Record<string, Spellable>; promised: bigint } {
  const { name, guaranteed } = tiers[tier % tiers.length]!;
  const promised = perSecond(rate);
  const { micro, count, unit } = rate;
  const isPerSecond = count === 1 && unit === "s" && !is_text;
  const number = count === 1 && !spelling.once(3) ? "" : String(count);
  const members = {
    tenant,
    tier: name,
    capacity,
    ...(isPerSecond
      ? { rate_per_sec: micro }
      : { rate: `${spelling.decimal(micro, false)}/${number}${unit}` }),
    ceiling_units: promised,
    ...(opening === null ? {} : { opening_tokens: (capacity * BigInt(opening)) / 4n }),
    ...(guaranteed ? { reserve_tokens: smaller(reserve, capacity) } : {}),
  };
  return { members, promised };
}

/** Good lines with the bad ones among them. A bad line before its good one must not make the good one's id seen. */
function spellStream(
  rows: Record<string, Spellable>[],
  bad: BadLine[],
  spelling: OddSpelling,
): { stream: string; bad_lines: number } {
  const lines = rows.map((members) => [spelling.json(members)]);
  let bad_lines = 0;
  for (const { kind, near } of bad) {
    const members = rows[near];
    if (members === undefined) continue;
    const line = lines[near]!.find((text) => text.startsWith("{"))!;
    const make = BAD_LINES[kind];
    const plain = { ...members, cost: Number(members.cost) / 1e6 };
    if (make === undefined) lines[near]!.push(line);
    else lines[near]!.unshift(make(plain, JSON.stringify(plain)));
    bad_lines += 1;
  }
  const text = lines.flat().map((line) => `${line}${spelling.lineEnd()}`);
  const whole = `${spelling.once(8) ? "\uFEFF" : ""}${text.join("")}`;
  return { stream: spelling.once(8) ? whole.replace(/\r?\n$/, "") : whole, bad_lines };
}

/**
 * Random rounds of one kind: tiers (some guaranteed), a template, a denylist, odd names and rates, tiny and huge
 * amounts, clustered times, every spelling that §1.3 and §1.4 allow, and now and then bad lines. For tests only.
 */
export const roundFiles = ({ group_by, refill }: Kind): fc.Arbitrary<RandomFiles> =>
  fc
    .record({
      contract: contracts,
      scale: scales,
      tenants: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 5, size: "max" }),
    })
    .chain(({ contract, scale, tenants }) =>
      fc.record({
        contract: fc.constant(contract),
        tenants: fc.tuple(
          ...tenants.map((tenant) =>
            fc.record({ tenant: fc.constant<string>(tenant), role: roles, entry: entries(scale) }),
          ),
        ),
        template: fc.option(entries(scale), { freq: 2 }),
        moments: moments(contract.epoch_ms),
        /** Tenths of the requests that are hard: groups are atomic, so that few must be. */
        hard_tenths: fc.constantFrom(0, 1, 3, 10),
        rows: requests(scale, contract.epoch_ms, tenants.length),
        bad: fc.oneof(
          { weight: 3, arbitrary: fc.constant<BadLine[]>([]) },
          { weight: 1, arbitrary: badLines },
        ),
        spelling: fc.oneof(fc.constant(0), fc.nat()),
        chunk_bytes: fc.constantFrom(1_000_000, 1, 3, 64, 1000),
      }),
    )
    .map(({ contract, tenants, template, moments, hard_tenths, rows, bad, spelling: seed, chunk_bytes }) => {
      const spelling = new OddSpelling(seed);
      const { slack, ...terms } = contract;
      const isDenied = ({ role }: { role: string }) => role.startsWith("denied");
      const listed = tenants.filter(({ role }) => role.endsWith("listed"));
      const entriesOf: { tenant: string; entry: Entry; isPromised: boolean }[] = listed.map((one) => ({
        ...one,
        isPromised: !isDenied(one),
      }));
      if (template !== null) entriesOf.push({ tenant: "*", entry: template, isPromised: true });
      // The list must not be empty (§1.2).
      if (entriesOf.length === 0) entriesOf.push({ ...tenants[0]!, isPromised: !isDenied(tenants[0]!) });
      const spelled = entriesOf.map(({ tenant, entry, isPromised }) => {
        const { members, promised } = spellEntry(tenant, entry, terms.tiers, spelling);
        return { members, promised: isPromised ? promised : 0n };
      });
      const promised = spelled.reduce((sum, one) => sum + one.promised, 0n);
      const arrival = (moment: number, offset: number) =>
        Math.min(ARRIVAL_MAX_MS, Math.max(0, moments[moment % moments.length]! + offset));
      const lines = rows.map(({ req_id, tenant, moment, offset, cost, hardness }) => ({
        req_id,
        tenant: tenants[tenant]!.tenant,
        arrival_ms: arrival(moment, offset),
        cost,
        mode: hardness < hard_tenths ? "hard" : "soft",
      }));
      const total = smaller(promised + slack, TOKENS_MAX_MICRO);
      return {
        contract: spelling.json({
          version: 1,
          ...terms,
          group_by,
          refill,
          total_ceiling_per_sec: total === 0n ? 1n : total,
        }),
        policy: spelling.json({
          tenants: spelled.map(({ members }) => members),
          denylist: tenants.filter(isDenied).map(({ tenant }) => tenant),
        }),
        ...spellStream(lines, bad, spelling),
        chunk_bytes,
        requests: lines.length,
      };
    });
