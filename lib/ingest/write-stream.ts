import { NumberText } from "../../contract/decimal.ts";

/** A value of `readDocument` as JSON text, its numbers as they were written. */
export function jsonText(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)}:${jsonText(inner)}`)
      .join(",")}}`;
  return JSON.stringify(value);
}

/** Requests of a case file as a canonical stream, one line each (§1.3). */
export function writeStream(requests: readonly unknown[]): string {
  return requests.map((request) => `${jsonText(request)}\n`).join("");
}
