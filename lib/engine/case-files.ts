import { readdirSync, readFileSync } from "node:fs";
import { type Case, caseSchema } from "../../contract/case.ts";
import type { Contract } from "../../contract/contract.ts";
import { readContract, readPolicy } from "../../contract/input.ts";
import type { Policy } from "../../contract/policy.ts";
import type { RequestColumns } from "../../contract/request.ts";
import { columnsFromValues, parseExact } from "./columns-from-rows.ts";

/** The inputs of a round, validated. For tests only. */
export interface RoundInputs {
  name: string;
  contract: Contract;
  policy: Policy;
  columns: RequestColumns;
}

const root = new URL("../../contract/", import.meta.url);

function inputs(
  name: string,
  contractValue: unknown,
  policyValue: unknown,
  requests: unknown[],
): RoundInputs {
  const contract = readContract(contractValue);
  if (!contract.ok) throw new Error(`${name}: ${JSON.stringify(contract.problems)}`);
  const policy = readPolicy(policyValue, contract.value);
  if (!policy.ok) throw new Error(`${name}: ${JSON.stringify(policy.problems)}`);
  return { name, contract: contract.value, policy: policy.value, columns: columnsFromValues(requests) };
}

/** Every case of the contract with what it expects. */
export function contractCases(): (RoundInputs & { expected: NonNullable<Case["expected"]> })[] {
  return readdirSync(new URL("cases/", root)).map((file) => {
    const text = readFileSync(new URL(`cases/${file}`, root), "utf8");
    const { name, expected } = caseSchema.parse(JSON.parse(text));
    if (expected === undefined) throw new Error(`${file} expects nothing`);
    const exact = parseExact(text) as { contract: unknown; policy: unknown; requests: unknown[] };
    return { ...inputs(name, exact.contract, exact.policy, exact.requests), expected };
  });
}

/** Names of the scenarios of the contract. */
export const scenarioNames = (): string[] => readdirSync(new URL("scenario/", root)).sort();

/** A file of a scenario, its numbers kept as text. */
export function scenarioText(name: string, file: string): string {
  return readFileSync(new URL(`scenario/${name}/${file}`, root), "utf8");
}

/** A scenario's inputs. */
export function scenario(name: string): RoundInputs {
  const lines = scenarioText(name, "requests.jsonl").split("\n");
  return inputs(
    name,
    parseExact(scenarioText(name, "contract.json")),
    parseExact(scenarioText(name, "policy.json")),
    lines.filter((line) => line.trim() !== "").map(parseExact),
  );
}
