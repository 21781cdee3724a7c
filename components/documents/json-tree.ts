import { type AnyNode, parse } from "@humanwhocodes/momoa";

/**
 * A JSON document that keeps what JSON.parse loses: the order of members and the text of every number, string and word.
 * What nobody edits is printed again as it was.
 */
export type JsonNode = JsonObject | JsonList | JsonScalar;
export interface JsonObject {
  kind: "object";
  members: readonly { key: string; value: JsonNode }[];
}
export interface JsonList {
  kind: "list";
  items: readonly JsonNode[];
}
export interface JsonScalar {
  kind: "scalar";
  /** As it stands in the text: 1.50, "a", null. */
  raw: string;
}

/** Longest object that is printed on one line, in characters. */
const LINE_LENGTH = 160;

function nodeOf(node: AnyNode, text: string): JsonNode {
  if (node.type === "Object")
    return {
      kind: "object",
      members: node.members.map(({ name, value }) => ({
        key: name.type === "String" ? name.value : name.name,
        value: nodeOf(value, text),
      })),
    };
  if (node.type === "Array")
    return { kind: "list", items: node.elements.map(({ value }) => nodeOf(value, text)) };
  return { kind: "scalar", raw: text.slice(node.loc.start.offset, node.loc.end.offset) };
}

/** Reads strict JSON; null where the text is none. */
export function readTree(text: string): JsonNode | null {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  try {
    return nodeOf(parse(body, { mode: "json" }).body, body);
  } catch {
    return null;
  }
}

function printLine(node: JsonNode): string {
  if (node.kind === "scalar") return node.raw;
  if (node.kind === "list")
    return node.items.length === 0 ? "[]" : `[${node.items.map(printLine).join(", ")}]`;
  const members = node.members.map(({ key, value }) => `${JSON.stringify(key)}: ${printLine(value)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

const isFlat = (node: JsonNode): boolean =>
  node.kind === "scalar" ||
  (node.kind === "object" && node.members.every(({ value }) => value.kind === "scalar"));

function printNode(node: JsonNode, indent: string, isInner: boolean): string {
  if (node.kind === "scalar") return node.raw;
  const line = isInner && isFlat(node) ? printLine(node) : "";
  if (line !== "" && line.length <= LINE_LENGTH) return line;
  const inner = `${indent}  `;
  const parts =
    node.kind === "list"
      ? node.items.map((item) => printNode(item, inner, true))
      : node.members.map(({ key, value }) => `${JSON.stringify(key)}: ${printNode(value, inner, true)}`);
  const [open, close] = node.kind === "list" ? ["[", "]"] : ["{", "}"];
  return parts.length === 0
    ? open + close
    : `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

/** The document as text: flat objects on a line of their own, everything else indented. */
export const printTree = (node: JsonNode): string => `${printNode(node, "", false)}\n`;

/** The value of a key; the last where it is there twice. */
export const memberOf = (object: JsonObject | null, key: string): JsonNode | undefined =>
  object?.members.findLast((member) => member.key === key)?.value;

/** A string's characters; for anything else its JSON. */
export function textOf(node: JsonNode | undefined): string {
  if (node === undefined) return "";
  if (node.kind !== "scalar") return printLine(node);
  return node.raw.startsWith('"') ? (JSON.parse(node.raw) as string) : node.raw;
}

/** A value's JSON on one line: a number in quotes keeps them, so that it is told from a number. */
export const jsonOf = (node: JsonNode | undefined): string => (node === undefined ? "" : printLine(node));

export const stringNode = (text: string): JsonScalar => ({ kind: "scalar", raw: JSON.stringify(text) });

/** What a person typed as JSON: itself where it is a number, a word or a string, else a string of it. */
export function typedNode(typed: string): JsonScalar {
  try {
    const value: unknown = JSON.parse(typed);
    if (value === null || typeof value !== "object") return { kind: "scalar", raw: typed.trim() };
  } catch {
    // Not JSON: what was typed stays, and is told to be wrong where the document is judged.
  }
  return stringNode(typed);
}

/** An object with a member set in its place, or behind all others; undefined takes it away. */
export function withMember(object: JsonObject, key: string, value: JsonNode | undefined): JsonObject {
  const others = object.members;
  if (value === undefined) return { kind: "object", members: others.filter((member) => member.key !== key) };
  const at = others.findLastIndex((member) => member.key === key);
  if (at < 0) return { kind: "object", members: [...others, { key, value }] };
  return { kind: "object", members: others.with(at, { key, value }) };
}

/** Whether every object of a document has each of its keys once. */
export function hasUniqueKeys(node: JsonNode): boolean {
  if (node.kind === "scalar") return true;
  if (node.kind === "list") return node.items.every(hasUniqueKeys);
  const keys = new Set(node.members.map(({ key }) => key));
  return keys.size === node.members.length && node.members.every(({ value }) => hasUniqueKeys(value));
}

/** An object with some of its members replaced by one, in the place of the first of them, or behind all others. */
export function withOneOf(
  object: JsonObject,
  keys: readonly string[],
  member: JsonObject["members"],
): JsonObject {
  const at = object.members.findIndex(({ key }) => keys.includes(key));
  const others = object.members.filter(({ key }) => !keys.includes(key));
  const place = at < 0 ? others.length : at;
  return { kind: "object", members: [...others.slice(0, place), ...member, ...others.slice(place)] };
}
