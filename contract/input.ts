import type { z } from "zod";
import { type Contract, contractSchema } from "./contract.ts";
import { type Policy, policyProblems, policySchema, type RuleProblem } from "./policy.ts";

/** A broken rule of an input file (§1): which file, where in it, and what was expected. */
export interface InputProblem {
  /** What the file is: its name, or "contract", "policy", "stream". */
  file: string;
  /** Physical line, from 1, where it is known. */
  line?: number;
  /** `tenants[2].capacity`; empty for the whole file. */
  path: string;
  message: string;
}

export type InputResult<T> = { ok: true; value: T } | { ok: false; problems: InputProblem[] };

/** `["tenants", 2, "capacity"]` as `tenants[2].capacity` (§1). */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}

/** Where a schema has no words of its own, in the words of the others. */
function worded(message: string): string {
  const [, expected, received] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? [];
  if (expected === undefined) return message;
  return received === "undefined"
    ? `is missing; expected ${expected}`
    : `is ${received}; expected ${expected}`;
}

/** What a schema found, as problems with their paths; each unknown field is a problem of its own. */
export function issueProblems(error: z.ZodError, file: string): InputProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({
        file,
        path: fieldPath([...issue.path, key]),
        message: "is an unknown field; expected only the fields of the contract",
      }));
    return [{ file, path: fieldPath(issue.path), message: worded(issue.message) }];
  });
}

const ruleProblem = (file: string, { path, message }: RuleProblem): InputProblem => ({
  file,
  path: fieldPath(path),
  message,
});

/** Validates a contract (§1.1). `value` is JSON as a reader hands it over, its numbers as `NumberText`. */
export function readContract(value: unknown, file = "contract"): InputResult<Contract> {
  const parsed = contractSchema.safeParse(value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, problems: issueProblems(parsed.error, file) };
}

/** Validates a policy against its contract (§1.2). */
export function readPolicy(value: unknown, contract: Contract, file = "policy"): InputResult<Policy> {
  const parsed = policySchema.safeParse(value);
  if (!parsed.success) return { ok: false, problems: issueProblems(parsed.error, file) };
  const problems = policyProblems(parsed.data, contract).map((problem) => ruleProblem(file, problem));
  return problems.length === 0 ? { ok: true, value: parsed.data } : { ok: false, problems };
}
