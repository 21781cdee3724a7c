import { z } from "zod";
import { countsSchema, decisionSchema, totalsSchema } from "./report.ts";

/**
 * A case file: inputs and, where they are known, the values an independent implementation found. Contract, policy and
 * requests are validated by their own schemas when the case is run.
 */
export const caseSchema = z.strictObject({
  name: z.string().min(1),
  clause: z
    .string()
    .regex(/^§\d(\.\d)?$/)
    .optional(),
  why: z.string().min(1).optional(),
  contract: z.unknown(),
  policy: z.unknown(),
  requests: z.array(z.unknown()),
  expected: z
    .strictObject({
      counts: countsSchema,
      totals: totalsSchema,
      per_tenant: z.unknown(),
      dispatch_order: z.array(z.string()),
      decisions: z.array(decisionSchema),
      checksum: z.string(),
    })
    .optional(),
});
export type Case = z.output<typeof caseSchema>;
