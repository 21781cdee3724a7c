import { readFile } from "node:fs/promises";
import { NumberText } from "../../contract/decimal.ts";

/** A file that cannot be judged by, and why. */
export class ProbeProblem extends Error {}

/** The bytes of a file, or a ProbeProblem that names it. */
export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new ProbeProblem(`${path}: ${(error as Error).message}`);
  }
}

/** JSON as the language reads it. A BOM is allowed. */
export function parseJson(
  bytes: Uint8Array,
  path: string,
  revive?: (key: string, value: unknown, context: { source?: string }) => unknown,
): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return JSON.parse(text, revive as (this: unknown, key: string, value: unknown) => unknown);
  } catch (error) {
    throw new ProbeProblem(`${path}: ${(error as Error).message}`);
  }
}

/** JSON with its numbers as texts: `JSON.parse` hands a reviver the source of each primitive. */
export function parseExactJson(bytes: Uint8Array, path: string): unknown {
  return parseJson(bytes, path, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined ? new NumberText(source) : value,
  );
}
