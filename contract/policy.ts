import { z } from "zod";
import type { Contract } from "./contract.ts";
import { type DecimalText, microOf } from "./decimal.ts";
import { nameSchema } from "./name.ts";
import { decimalSchema } from "./number.ts";
import { rateParts, rateSchema } from "./rate.ts";

/** The template of every tenant that is not listed (§1.2). It is no bucket and no tenant. */
export const TEMPLATE = "*";

const tenantSchema = z.strictObject({
  tenant: nameSchema,
  tier: nameSchema,
  capacity: decimalSchema({ min: 0n, open: true }),
  rate_per_sec: decimalSchema({ min: 0n }).optional(),
  rate: rateSchema.optional(),
  ceiling_units: decimalSchema({ min: 0n }),
  opening_tokens: decimalSchema({ min: 0n }).optional(),
  reserve_tokens: decimalSchema({ min: 0n }).optional(),
});

/** The shape of a policy (§1.2). What spans fields, or needs the contract, is in `policyProblems`. */
export const policySchema = z.strictObject({
  tenants: z.array(tenantSchema).min(1),
  denylist: z.array(nameSchema),
});

export type Tenant = z.output<typeof tenantSchema>;
/** A validated policy. Absent `opening_tokens` means the capacity, absent `reserve_tokens` means 0. */
export type Policy = z.output<typeof policySchema>;

/** One broken rule of an input: where it is and what was expected. */
export interface RuleProblem {
  path: (string | number)[];
  message: string;
}

const micro = (text: DecimalText): bigint => microOf(text) as bigint;

/** The rules of §1.2 that look at one tenant of the list together with its tier. */
function tenantProblems(tenant: Tenant, contract: Contract): { field: string; message: string }[] {
  const problems: { field: string; message: string }[] = [];
  const say = (field: string, message: string) => problems.push({ field, message });
  const tier = contract.tiers.find(({ name }) => name === tenant.tier);
  if (tier === undefined) say("tier", "is no tier of the contract; expected one of its tiers' names");
  if ((tenant.rate === undefined) === (tenant.rate_per_sec === undefined))
    say("rate_per_sec", "expected exactly one of rate_per_sec and rate");
  const rate =
    tenant.rate !== undefined
      ? rateParts(tenant.rate)
      : { micro: micro(tenant.rate_per_sec ?? "0"), per_ms: 1000n };
  if (rate !== null && rate.micro * 1000n > micro(tenant.ceiling_units) * rate.per_ms)
    say("ceiling_units", "is below the rate; expected at least the tenant's rate per second");
  const capacity = micro(tenant.capacity);
  if (tenant.opening_tokens !== undefined && micro(tenant.opening_tokens) > capacity)
    say("opening_tokens", "is above capacity; expected 0 … capacity");
  const reserve = micro(tenant.reserve_tokens ?? "0");
  if (tier?.guaranteed === true && (reserve === 0n || reserve > capacity))
    say(
      "reserve_tokens",
      tenant.reserve_tokens === undefined
        ? "is missing; expected 0 < reserve ≤ capacity in a guaranteed tier"
        : "is out of range; expected 0 < reserve ≤ capacity in a guaranteed tier",
    );
  if (tier?.guaranteed === false && reserve !== 0n)
    say("reserve_tokens", "expected 0 or absent: the tier is not guaranteed");
  return problems;
}

/** A list of names that must not repeat, as problems at their indices. */
function repeats(names: string[], path: (index: number) => (string | number)[], what: string): RuleProblem[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (seen.has(name)) return [{ path: path(index), message: `is there twice; expected ${what}` }];
    seen.add(name);
    return [];
  });
}

/** Every rule of §1.2 that spans fields of a policy, or needs its contract. An empty list means it is sound. */
export function policyProblems(policy: Policy, contract: Contract): RuleProblem[] {
  const problems = policy.tenants.flatMap((tenant, index) =>
    tenantProblems(tenant, contract).map(({ field, message }) => ({
      path: ["tenants", index, field],
      message,
    })),
  );
  problems.push(
    ...repeats(
      policy.tenants.map(({ tenant }) => tenant),
      (index) => ["tenants", index, "tenant"],
      "unique tenants",
    ),
    ...repeats(policy.denylist, (index) => ["denylist", index], "a list without repeats"),
  );
  policy.denylist.forEach((name, index) => {
    if (name === TEMPLATE)
      problems.push({ path: ["denylist", index], message: 'is the template; expected a tenant, never "*"' });
  });
  const denied = new Set(policy.denylist);
  const promised = policy.tenants
    .filter(({ tenant }) => !denied.has(tenant))
    .reduce((sum, { ceiling_units }) => sum + micro(ceiling_units), 0n);
  if (promised > micro(contract.total_ceiling_per_sec))
    problems.push({
      path: ["tenants"],
      message: "Σ ceiling_units is above the contract's total_ceiling_per_sec; expected at most that",
    });
  return problems;
}
