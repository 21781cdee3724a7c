import { microOf } from "../../contract/decimal.ts";
import { fieldPath } from "../../contract/input.ts";
import { NAME_MAX_BYTES } from "../../contract/limits.ts";
import { requestSchema } from "../../contract/request.ts";
import { readFlatObject } from "./flat-object.ts";
import type { PlainRequest } from "./plain-line.ts";

/** A valid request, or the field at fault (empty: the whole line) and why. */
export type LineResult = { ok: true; request: PlainRequest } | { ok: false; field: string; reason: string };

/** The same with the request's fields in the order in which the line has them. */
type ExactResult = Exclude<LineResult, { ok: true }> | { ok: true; request: PlainRequest; keys: string[] };

const FIELDS: ReadonlySet<string> = new Set(Object.keys(requestSchema.shape));

/** A field's name as a problem tells it: an unknown one can be as long as its line. */
const told = (field: string): string =>
  field.length > NAME_MAX_BYTES ? `${field.slice(0, NAME_MAX_BYTES)}…` : field;

/** Judges one line by the whole of §1.3 and §1.4. */
export function readExactLine(line: string): ExactResult {
  const read = readFlatObject(line, FIELDS);
  if (!read.ok) return { ok: false, field: told(read.field), reason: read.reason };
  const parsed = requestSchema.safeParse(read.fields);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
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
    keys: Object.keys(read.fields),
  };
}
