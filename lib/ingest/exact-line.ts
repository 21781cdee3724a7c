import { microOf } from "../../contract/decimal.ts";
import { fieldPath } from "../../contract/input.ts";
import { requestSchema } from "../../contract/request.ts";
import { readDocument } from "./document.ts";
import type { PlainRequest } from "./plain-line.ts";

export type LineResult =
  | { ok: true; request: PlainRequest; keys: string[] }
  | { ok: false; field: string; reason: string };

/** Judges one line by the whole of §1.3 and §1.4. */
export function readExactLine(line: string): LineResult {
  const document = readDocument(line, "line");
  // A BOM inside the stream is no white space of JSON; readDocument would allow it at the start of a text.
  if (line.startsWith("\uFEFF"))
    return { ok: false, field: "", reason: "is no JSON: a BOM inside the stream" };
  if (!document.ok) {
    const problem = document.problems[0]!;
    return { ok: false, field: problem.path, reason: problem.message };
  }
  const { value } = document.value;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { ok: false, field: "", reason: "is no object; expected one request" };
  const parsed = requestSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    if (issue.code === "unrecognized_keys")
      return { ok: false, field: issue.keys[0] ?? "", reason: "is an unknown field" };
    return { ok: false, field: fieldPath(issue.path), reason: issue.message };
  }
  const { req_id, tenant, arrival_ms, cost, mode } = parsed.data;
  return {
    ok: true,
    request: {
      reqId: req_id,
      tenant,
      arrivalMs: arrival_ms,
      costMicro: Number(microOf(cost) as bigint),
      isSoft: mode === "soft",
    },
    keys: Object.keys(value),
  };
}
