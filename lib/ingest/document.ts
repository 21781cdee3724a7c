import { parse } from "@humanwhocodes/momoa";
import type { InputProblem, InputResult } from "../../contract/input.ts";
import { DEPTH_MAX, JsonWalk } from "./json-walk.ts";
import { LineIndex } from "./line-index.ts";

/** A JSON document with its numbers as texts, and the line of each of its fields. */
export interface Document {
  /** Objects have no prototype, so that `__proto__` is a key like any other; numbers are `NumberText`. */
  value: unknown;
  /** Physical line, from 1, of a field's path such as `tenants[2].capacity`; undefined where there is no such field. */
  lineOf(path: string): number | undefined;
}

/** Longest text of which a tree is built to tell where its fault is, in UTF-16 units: a tree takes a hundred times that. */
const TREE_MAX = 1_000_000;

/** Where and why a text is no JSON, as well as the tree parser can tell, or else `JSON.parse`. */
function syntaxProblem(text: string, file: string, parsed: SyntaxError): InputProblem {
  try {
    if (text.length <= TREE_MAX) parse(text, { mode: "json" });
  } catch (error) {
    const { message, line } = error as { message: string; line?: number };
    if (typeof line === "number") return { file, line, path: "", message: `is no JSON: ${message}` };
  }
  const problem = { file, path: "", message: `is no JSON: ${parsed.message}` };
  const position = /at position ([0-9]+)/.exec(parsed.message)?.[1];
  return position === undefined
    ? problem
    : { ...problem, line: new LineIndex(text).lineAt(Number(position)) };
}

const refused = (file: string, message: string): InputResult<never> => ({
  ok: false,
  problems: [{ file, path: "", message }],
});

/**
 * Reads a JSON document (§1): strict JSON, no key twice. A BOM at the start is allowed.
 * @param file name of the file for messages
 */
export function readDocument(text: string, file: string): InputResult<Document> {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (/^[ \t\r\n]*$/.test(body)) return refused(file, "is empty; expected JSON");
  try {
    JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, problems: [syntaxProblem(body, file, error)] };
    if (error instanceof RangeError) return refused(file, "is nested too deeply");
    throw error;
  }
  const walk = new JsonWalk(body);
  const value = walk.read();
  if (walk.isTooDeep) return refused(file, `is nested too deeply; expected at most ${DEPTH_MAX} levels`);
  const lines = new LineIndex(body);
  if (walk.repeated.length > 0)
    return {
      ok: false,
      problems: walk.repeated.map(({ path, offset }) => ({
        file,
        line: lines.lineAt(offset),
        path,
        message: "is there twice; expected each key once",
      })),
    };
  return {
    ok: true,
    value: {
      value,
      lineOf: (path) => {
        const offset = walk.offsetOf(value, path);
        return offset === undefined ? undefined : lines.lineAt(offset);
      },
    },
  };
}

/** Decodes UTF-8 strictly; null where the bytes are none. A BOM stays. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
