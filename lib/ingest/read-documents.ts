import type { Contract } from "../../contract/contract.ts";
import { type InputResult, readContract, readPolicy } from "../../contract/input.ts";
import type { Policy } from "../../contract/policy.ts";
import { type Document, decodeUtf8, readDocument } from "./document.ts";

/** The line of a field; a missing one has none of its own: the line of what should hold it is the nearest. */
function lineNear(document: Document, path: string): number | undefined {
  const holder = /^(.*)(?:\.[^.[]+|\[\d+\])$/s.exec(path)?.[1] ?? "";
  return document.lineOf(path) ?? document.lineOf(holder);
}

/** Adds physical lines to the problems of a validated value. */
export function located<T>(result: InputResult<T>, document: Document): InputResult<T> {
  if (result.ok) return result;
  const problems = result.problems.map((problem) => {
    const line = lineNear(document, problem.path);
    return line === undefined ? problem : { ...problem, line };
  });
  return { ok: false, problems };
}

/** Reads a JSON document in UTF-8 (§1). */
export function readJson(bytes: Uint8Array, file: string): InputResult<Document> {
  const text = decodeUtf8(bytes);
  if (text === null)
    return { ok: false, problems: [{ file, path: "", message: "is no UTF-8; expected JSON in UTF-8" }] };
  return readDocument(text, file);
}

/** Reads and validates a contract (§1.1); each problem has its path and, where it is known, its line. */
export function readContractText(bytes: Uint8Array, file: string): InputResult<Contract> {
  const document = readJson(bytes, file);
  return document.ok ? located(readContract(document.value.value, file), document.value) : document;
}

/** Reads and validates a policy against its contract (§1.2). */
export function readPolicyText(bytes: Uint8Array, contract: Contract, file: string): InputResult<Policy> {
  const document = readJson(bytes, file);
  return document.ok ? located(readPolicy(document.value.value, contract, file), document.value) : document;
}
