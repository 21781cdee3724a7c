import { z } from "zod";
import { GROUP_BY, REFILL } from "./contract-choices.ts";
import { nameSchema } from "./name.ts";
import { decimalSchema, integerSchema } from "./number.ts";

/** Longest epoch and longest grace, in milliseconds: a day (§1.1). */
const DAY_MS = 86_400_000;

const tierSchema = z.strictObject({ name: nameSchema, guaranteed: z.boolean() });

/** The contract (§1.1). Decimals come out as plain decimal text, integers as numbers. */
export const contractSchema = z
  .strictObject({
    version: integerSchema(1, 1),
    total_ceiling_per_sec: decimalSchema({ min: 0n, open: true }),
    epoch_ms: integerSchema(1, DAY_MS),
    grace_ms: integerSchema(0, DAY_MS),
    group_by: z.enum(GROUP_BY),
    refill: z.enum(REFILL),
    tiers: z.array(tierSchema).min(1),
  })
  .superRefine(({ tiers }, context) => {
    const seen = new Set<string>();
    tiers.forEach(({ name }, index) => {
      if (seen.has(name))
        context.addIssue({
          code: "custom",
          path: ["tiers", index, "name"],
          message: "is there twice; expected unique tier names",
        });
      seen.add(name);
    });
  });

/** A validated contract. The index of a tier is its rank: the first has rank 0. */
export type Contract = z.output<typeof contractSchema>;
