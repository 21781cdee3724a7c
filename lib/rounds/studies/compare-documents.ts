import type { DocumentChange, DocumentComparison } from "../../../contract/comparison.ts";
import { NumberText } from "../../../contract/decimal.ts";
import { readDocument } from "../../ingest/document.ts";
import { jsonText } from "../../ingest/write-stream.ts";

/** Changes told one by one; the rest are counted. */
const CHANGES_TOLD = 200;

/** What stands in for an index: a tenant's or a tier's name, so that a moved entry is no other one. */
function labelOf(value: unknown, index: number): string {
  if (typeof value !== "object" || value === null || value instanceof NumberText) return String(index);
  const entry = value as Record<string, unknown>;
  const name = Object.hasOwn(entry, "tenant")
    ? entry.tenant
    : Object.hasOwn(entry, "name")
      ? entry.name
      : undefined;
  return typeof name === "string" ? JSON.stringify(name) : String(index);
}

/** Every leaf of a document with its path and JSON text. */
function* leaves(value: unknown, path: string): Generator<[path: string, text: string]> {
  if (Array.isArray(value)) {
    // A list of texts is compared as a set would be read: by its entries.
    for (const [index, inner] of value.entries())
      yield* leaves(
        inner,
        `${path}[${typeof inner === "string" ? JSON.stringify(inner) : labelOf(inner, index)}]`,
      );
    // The order of tiers is their rank.
    if (path === "tiers")
      yield [`${path}.order`, JSON.stringify(value.map((tier, index) => labelOf(tier, index)))];
  } else if (typeof value === "object" && value !== null && !(value instanceof NumberText)) {
    for (const [key, inner] of Object.entries(value))
      yield* leaves(inner, path === "" ? key : `${path}.${key}`);
  } else yield [path, jsonText(value)];
}

/** What differs between two documents, field by field; entries of tenants and tiers are told apart by their names. */
export function compareDocuments(a: string | null, b: string | null, what: string): DocumentComparison {
  if (a === null || b === null) {
    const missing = a === null ? (b === null ? "A and B" : "A") : "B";
    return { known: false, why: `${missing} came without a ${what}` };
  }
  const [readA, readB] = [readDocument(a, "A"), readDocument(b, "B")];
  if (!readA.ok || !readB.ok)
    return { known: false, why: `the ${what} of ${readA.ok ? "B" : "A"} is no JSON` };
  const fieldsA = new Map(leaves(readA.value.value, ""));
  const fieldsB = new Map(leaves(readB.value.value, ""));
  const changes: DocumentChange[] = [];
  for (const path of new Set([...fieldsA.keys(), ...fieldsB.keys()])) {
    const [textA, textB] = [fieldsA.get(path) ?? null, fieldsB.get(path) ?? null];
    if (textA !== textB) changes.push({ path, a: textA, b: textB });
  }
  return {
    known: true,
    changes: changes.slice(0, CHANGES_TOLD),
    more: Math.max(0, changes.length - CHANGES_TOLD),
  };
}
