import fc from "fast-check";
import type { Contract } from "../../contract/contract.ts";
import { GROUP_BY, REFILL } from "../../contract/contract-choices.ts";
import { decimalText, microOf } from "../../contract/decimal.ts";
import type { Policy, Tenant } from "../../contract/policy.ts";
import { rateParts } from "../../contract/rate.ts";
import type { RequestRow } from "./columns-from-rows.ts";

/** A random round, valid by the contract. For tests only. */
export interface RandomRound {
  contract: Contract;
  policy: Policy;
  rows: RequestRow[];
}

/** Names that trip plain objects, byte order and case folding; few, so that they meet. */
const names = ["a", "b", "B", "__proto__", "constructor", "é", "\u{1F600}", "\uFF5E", "10", "9"] as const;

/** Amounts in millionths: small ones that meet, fine ones that round, and huge ones that widen. */
const micro = (max: number) =>
  fc.oneof(
    fc.integer({ min: 1, max: 60 }).map((tenths) => tenths * 100_000),
    fc.integer({ min: 1, max: 20_000_000 }),
    fc.integer({ min: 1, max }),
  );
const decimal = (max: number) => micro(max).map((value) => decimalText(BigInt(value)));
const rates = fc.oneof(
  fc.constantFrom("0/s", "1/3ms", "100/m", "1/250ms", "7/11s", "5000/h", "0.000001/1000000d"),
  fc.integer({ min: 0, max: 9_000_000 }).map((value) => `${decimalText(BigInt(value))}/s`),
);

const tenantEntry = (tenant: string, tiers: Contract["tiers"]): fc.Arbitrary<Tenant> =>
  fc
    .record({
      tier: fc.constantFrom(...tiers),
      capacity: decimal(1e15),
      rate: rates,
      inSeconds: fc.boolean(),
      opening: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      reserve: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ tier, capacity, rate, inSeconds, opening, reserve }) => {
      const whole = microOf(capacity) as bigint;
      const part = (share: number) => (whole * BigInt(Math.round(share * 1e6))) / 1_000_000n;
      const { micro: amount, per_ms } = rateParts(rate)!;
      const perSecond = inSeconds && per_ms === 1000n;
      return {
        tenant,
        tier: tier.name,
        capacity,
        ...(perSecond ? { rate_per_sec: decimalText(amount) } : { rate }),
        ceiling_units: "1000000000",
        ...(opening === undefined ? {} : { opening_tokens: decimalText(part(opening)) }),
        ...(tier.guaranteed ? { reserve_tokens: decimalText(part(reserve) || 1n) } : {}),
      };
    });

const contracts: fc.Arbitrary<Contract> = fc.record({
  version: fc.constant(1),
  total_ceiling_per_sec: fc.constant("1000000000000"),
  epoch_ms: fc.constantFrom(1, 7, 1000, 86_400_000),
  grace_ms: fc.constantFrom(0, 500, 60_000, 86_400_000),
  group_by: fc.constantFrom(...GROUP_BY),
  refill: fc.constantFrom(...REFILL),
  tiers: fc
    .array(fc.boolean(), { minLength: 1, maxLength: 3 })
    .map((flags) => flags.map((guaranteed, rank) => ({ name: `tier-${rank}`, guaranteed }))),
});

const policies = ({ tiers }: Contract): fc.Arbitrary<Policy> =>
  fc.uniqueArray(fc.constantFrom("*", ...names), { minLength: 1, maxLength: 6 }).chain((tenants) =>
    fc.record({
      tenants: fc.tuple(...tenants.map((tenant) => tenantEntry(tenant, tiers))),
      denylist: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
    }),
  );

const arrivals = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 20 }).map((step) => step * 500),
  fc.integer({ min: 0, max: 5000 }),
  fc.integer({ min: 0, max: 31_622_400_000 }),
);
const requests: fc.Arbitrary<RequestRow[]> = fc.uniqueArray(
  fc.record({
    req_id: fc.oneof(
      fc.integer({ min: 0, max: 99 }).map((number) => `r${number}`),
      fc.tuple(fc.constantFrom(...names), fc.nat({ max: 9 })).map(([name, number]) => `${name}${number}`),
    ),
    tenant: fc.constantFrom(...names),
    arrival_ms: arrivals,
    cost: decimal(1e15),
    mode: fc.constantFrom("soft" as const, "hard" as const),
  }),
  { selector: ({ req_id }) => req_id, maxLength: 40 },
);

/** Rounds over both groupings and both refills, with tiers, templates, denylists, odd names, rates and amounts. */
export const rounds: fc.Arbitrary<RandomRound> = contracts.chain((contract) =>
  fc.record({ contract: fc.constant(contract), policy: policies(contract), rows: requests }),
);
