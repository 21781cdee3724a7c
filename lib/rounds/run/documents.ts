import type { Contract } from "../../../contract/contract.ts";
import type { InputProblem, InputResult } from "../../../contract/input.ts";
import type { Policy } from "../../../contract/policy.ts";
import { DEFAULT_CONTRACT, DEFAULT_POLICY } from "../../faults/default-documents.ts";
import { readContractText, readPolicyText } from "../../ingest/read-documents.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { readSmallFile } from "../../store/read-file.ts";

/** Largest contract or policy read, in bytes: a policy of 100 000 tenants has about 20 MB. */
const DOCUMENT_MAX_BYTES = 64 * 1024 * 1024;

/** Contract and policy of a round, validated, with the bytes they were read from. */
export interface Documents {
  contract: Contract;
  policy: Policy;
  contractBytes: Uint8Array;
  policyBytes: Uint8Array;
}

/** The bytes of a document, or the problem of the file as an input problem (§1). */
export async function readDocumentBytes(path: string): Promise<InputResult<Uint8Array>> {
  try {
    return { ok: true, value: await readSmallFile(path, DOCUMENT_MAX_BYTES) };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { ok: false, problems: [{ file: error.file, path: "", message: error.message }] };
  }
}

/** Validates both texts (§1). A policy cannot be judged without its contract: then only the contract's problems are told. */
export function validateDocuments(
  contractBytes: Uint8Array,
  policyBytes: Uint8Array,
  names: { contract: string; policy: string },
): InputResult<Documents> {
  const contract = readContractText(contractBytes, names.contract);
  if (!contract.ok) return contract;
  const policy = readPolicyText(policyBytes, contract.value, names.policy);
  if (!policy.ok) return policy;
  return {
    ok: true,
    value: { contract: contract.value, policy: policy.value, contractBytes, policyBytes },
  };
}

/** Reads and validates contract and policy files (§1.1, §1.2). */
export async function loadDocuments(files: {
  contract: string;
  policy: string;
}): Promise<InputResult<Documents>> {
  const contractBytes = await readDocumentBytes(files.contract);
  const policyBytes = await readDocumentBytes(files.policy);
  if (!contractBytes.ok || !policyBytes.ok) {
    const problems: InputProblem[] = [];
    if (!contractBytes.ok) problems.push(...contractBytes.problems);
    if (!policyBytes.ok) problems.push(...policyBytes.problems);
    return { ok: false, problems };
  }
  return validateDocuments(contractBytes.value, policyBytes.value, files);
}

/** The documents that the fault `fail-open` falls back to (§6). */
export function defaultDocuments(): Documents {
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const read = validateDocuments(bytes(DEFAULT_CONTRACT), bytes(DEFAULT_POLICY), {
    contract: "default contract",
    policy: "default policy",
  });
  if (!read.ok)
    throw new Error(`the defaults of fail-open are no valid documents: ${read.problems[0]?.message}`);
  return read.value;
}
