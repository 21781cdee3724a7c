import { NumberText } from "../../contract/decimal.ts";

/** What a JSON document holds, or why it holds nothing. */
export type DocumentResult = { ok: true; value: unknown } | { ok: false; message: string };

/** ECMAScript hands a reviver the text of each scalar. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

const keepNumberText: Reviver = (_key, value, { source }) =>
  typeof value === "number" ? new NumberText(source ?? String(value)) : value;

/** Text of UTF-8 bytes without a BOM at the start; null where they are no UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const TOKEN = /"(?:[^"\\]+|\\.)*"(\s*:)?|[{}]/g;

/** A key that is twice in one object of valid JSON, where there is one: the language's own parser keeps the last. */
function keyTwice(text: string): string | null {
  const open: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined) {
      const key: string = JSON.parse(token.slice(0, -colon.length));
      if (open.at(-1)!.has(key)) return key;
      open.at(-1)!.add(key);
    }
  }
  return null;
}

/** A contract or policy (§1): strict JSON whose numbers keep their text, and in which no key is twice. */
export function readInputDocument(bytes: Uint8Array): DocumentResult {
  const text = textOf(bytes);
  if (text === null) return { ok: false, message: "is no UTF-8" };
  try {
    const value: unknown = JSON.parse(text, keepNumberText as (key: string, value: unknown) => unknown);
    const twice = keyTwice(text);
    return twice === null ? { ok: true, value } : { ok: false, message: `has the key "${twice}" twice` };
  } catch (error) {
    return { ok: false, message: `is no JSON: ${(error as Error).message}` };
  }
}

/** A report (§4): JSON of any layout, its numbers as doubles. Where a key is twice the last counts, as to any reader. */
export function readReportDocument(bytes: Uint8Array): DocumentResult {
  const text = textOf(bytes);
  if (text === null) return { ok: false, message: "is no UTF-8" };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ok: true, value };
    return { ok: false, message: "is no JSON object" };
  } catch (error) {
    return { ok: false, message: `is no JSON: ${(error as Error).message}` };
  }
}
