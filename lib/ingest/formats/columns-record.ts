import { type LogRecord, told } from "./format.ts";
import { requestLine } from "./tokens.ts";

/** The place of each column by its name; of two columns of one name the first counts. */
export function columnIndex(names: readonly string[]): Map<string, number> {
  const index = new Map<string, number>();
  names.forEach((name, at) => {
    if (!index.has(name)) index.set(name, at);
  });
  return index;
}

/** Fields that stand in a request line. */
export const REQUEST_FIELDS = ["method", "path", "protocol"];

/** A record of columns; `method`, `path` and `protocol` come from its column `request`, where it has one. */
export class ColumnsRecord implements LogRecord {
  private readonly index: ReadonlyMap<string, number>;
  private readonly values: readonly string[];

  constructor(index: ReadonlyMap<string, number>, values: readonly string[]) {
    this.index = index;
    this.values = values;
  }

  value(field: string): string | null {
    const at = this.index.get(field);
    if (at !== undefined) return told(this.values[at]);
    const request = this.index.get("request");
    if (request === undefined || !REQUEST_FIELDS.includes(field)) return null;
    return told(requestLine(this.values[request]!)?.[field as "method" | "path" | "protocol"]);
  }
}
