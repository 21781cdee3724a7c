import { type DocumentNode, parse, type ValueNode } from "@humanwhocodes/momoa";
import { NumberText } from "../../contract/decimal.ts";
import type { InputProblem, InputResult } from "../../contract/input.ts";
import { fieldPath } from "../../contract/input.ts";

/** A JSON document with its numbers as texts, and the line of each of its fields. */
export interface Document {
  /** Objects have no prototype, so that `__proto__` is a key like any other; numbers are `NumberText`. */
  value: unknown;
  /** Physical line, from 1, of a field's path such as `tenants[2].capacity`; undefined where there is no such field. */
  lineOf(path: string): number | undefined;
}

type Path = (string | number)[];

/** Turns the syntax tree into values, and notes repeated keys and lines on the way. */
class Evaluation {
  readonly problems: InputProblem[] = [];
  readonly lines = new Map<string, number>();
  private readonly text: string;
  private readonly file: string;

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
  }

  value(node: ValueNode, path: Path): unknown {
    this.lines.set(fieldPath(path), node.loc.start.line);
    switch (node.type) {
      case "Object":
        return this.object(node, path);
      case "Array":
        return node.elements.map((element, index) => this.value(element.value, [...path, index]));
      case "Number":
        return new NumberText(this.text.slice(node.loc.start.offset, node.loc.end.offset));
      case "Null":
        return null;
      case "String":
      case "Boolean":
        return node.value;
      default:
        throw new Error(`JSON has no ${node.type}`);
    }
  }

  private object(node: Extract<ValueNode, { type: "Object" }>, path: Path): unknown {
    const object: Record<string, unknown> = Object.create(null);
    for (const member of node.members) {
      const key = member.name.type === "String" ? member.name.value : member.name.name;
      const inner = [...path, key];
      if (Object.hasOwn(object, key))
        this.problems.push({
          file: this.file,
          line: member.loc.start.line,
          path: fieldPath(inner),
          message: "is there twice; expected each key once",
        });
      object[key] = this.value(member.value, inner);
    }
    return object;
  }
}

/** Where and why a text is no JSON, as well as the tree parser can tell. */
function syntaxProblem(text: string, file: string, fallback: string): InputProblem {
  try {
    parse(text, { mode: "json" });
  } catch (error) {
    const { message, line } = error as { message: string; line?: number };
    if (typeof line === "number") return { file, line, path: "", message: `is no JSON: ${message}` };
  }
  return { file, path: "", message: `is no JSON: ${fallback}` };
}

/**
 * Reads a JSON document (§1): strict JSON, no key twice. A BOM at the start is allowed.
 * @param file name of the file for messages
 */
export function readDocument(text: string, file: string): InputResult<Document> {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (body.trim() === "")
    return { ok: false, problems: [{ file, path: "", message: "is empty; expected JSON" }] };
  let tree: DocumentNode;
  try {
    // The tree parser lets control characters in strings pass; JSON.parse does not.
    JSON.parse(body);
    tree = parse(body, { mode: "json" }) as DocumentNode;
    const evaluation = new Evaluation(body, file);
    const value = evaluation.value(tree.body, []);
    if (evaluation.problems.length > 0) return { ok: false, problems: evaluation.problems };
    return { ok: true, value: { value, lineOf: (path) => evaluation.lines.get(path) } };
  } catch (error) {
    if (error instanceof RangeError)
      return { ok: false, problems: [{ file, path: "", message: "is nested too deeply" }] };
    if (error instanceof SyntaxError)
      return { ok: false, problems: [syntaxProblem(body, file, error.message)] };
    throw error;
  }
}

/** Decodes UTF-8 strictly; null where the bytes are none. A BOM stays. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
