import { NumberText } from "../../contract/decimal.ts";
import { decodeString, endOfScalar, endOfString, skipSpace } from "./json-scan.ts";

/** The fields of a flat object, or the first thing that keeps a text from being one. */
export type FlatObject =
  | { ok: true; fields: Record<string, unknown> }
  | { ok: false; field: string; reason: string };

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const LITERALS = new Map<string, unknown>([
  ["null", null],
  ["true", true],
  ["false", false],
]);

const fault = (reason: string, field = ""): FlatObject => ({ ok: false, field, reason });
const noJson = (what: string, at: number, field = ""): FlatObject =>
  fault(`is no JSON: ${what} at character ${at + 1}`, field);

/** A single value from `at` to `end`; undefined where the text is none. */
function scalar(text: string, at: number, end: number): unknown {
  const word = text.slice(at, end);
  if (text[at] === '"') return decodeString(word) ?? undefined;
  if (LITERALS.has(word)) return LITERALS.get(word);
  return NUMBER.test(word) ? new NumberText(word) : undefined;
}

/**
 * Reads a text that holds one object of single values (§1.3): strict JSON, numbers as `NumberText`, no key twice, no
 * key but the known ones, nothing after the object. Stops at the first fault, and builds nothing that grows with the
 * text: a line of 50 MB of nested lists costs no more than its length.
 */
export function readFlatObject(text: string, known: ReadonlySet<string>): FlatObject {
  const fields: Record<string, unknown> = Object.create(null);
  let at = skipSpace(text, 0);
  if (text[at] === "\uFEFF") return noJson("a byte order mark inside the stream", at);
  if (text[at] !== "{") return fault("is no object; expected one request in JSON");
  at = skipSpace(text, at + 1);
  if (text[at] === "}") return afterObject(text, at, fields);
  for (;;) {
    if (text[at] !== '"') return noJson("expected a field in quotes", at);
    const keyEnd = endOfString(text, at);
    const key = keyEnd < 0 ? null : decodeString(text.slice(at, keyEnd));
    if (key === null) return noJson("a field's name is no string", at);
    if (!known.has(key)) return fault("is an unknown field", key);
    if (Object.hasOwn(fields, key)) return fault("is there twice; expected each key once", key);
    at = skipSpace(text, keyEnd);
    if (text[at] !== ":") return noJson("expected a colon", at, key);
    at = skipSpace(text, at + 1);
    if (text[at] === "{" || text[at] === "[") return fault("is an object or a list; expected one value", key);
    const end = text[at] === '"' ? endOfString(text, at) : endOfScalar(text, at);
    const value = end < 0 ? undefined : scalar(text, at, end);
    if (value === undefined) return noJson("expected a value", at, key);
    fields[key] = value;
    at = skipSpace(text, end);
    if (text[at] === "}") return afterObject(text, at, fields);
    if (text[at] !== ",") return noJson("expected a comma or the end of the object", at, key);
    at = skipSpace(text, at + 1);
  }
}

function afterObject(text: string, at: number, fields: Record<string, unknown>): FlatObject {
  const rest = skipSpace(text, at + 1);
  return rest === text.length ? { ok: true, fields } : noJson("something stands after the object", rest);
}
