import { millionths } from "./decimal.ts";
import { JsonFault, type JsonValue, parseObjectLine } from "./json-line.ts";

/** A valid request (§1.3); `cost` in millionths of a token. */
export interface RequestRow {
  req_id: string;
  tenant: string;
  arrival_ms: number;
  cost: bigint;
  soft: boolean;
}

const FIELDS = ["req_id", "tenant", "arrival_ms", "cost", "mode"] as const;
type Field = (typeof FIELDS)[number];

const MICRO = 1_000_000n;
const LATEST_MS = 31_622_400_000n;
const DEAREST = 1_000_000_000n * MICRO;
const LONGEST_NAME = 256;

const encoder = new TextEncoder();

function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit <= 0x1f || unit === 0x7f) return true;
  }
  return false;
}

/** §1.4: 1 to 256 bytes of UTF-8 without control characters. */
function readName(field: Field, value: JsonValue): string {
  if (value.kind !== "string") throw new JsonFault("is no string; expected a name", field);
  const { text } = value;
  if (text === "") throw new JsonFault("is empty; expected a name", field);
  if (encoder.encode(text).length > LONGEST_NAME) throw new JsonFault("is longer than 256 bytes", field);
  if (!text.isWellFormed()) throw new JsonFault("holds a lone surrogate", field);
  if (hasControlCharacter(text)) throw new JsonFault("holds a control character", field);
  return text;
}

function readTenant(value: JsonValue): string {
  const tenant = readName("tenant", value);
  if (tenant === "*") throw new JsonFault("is the template; expected a tenant", "tenant");
  return tenant;
}

/** A number by the exact value of its text, in millionths (§1.4). */
function readNumber(field: Field, value: JsonValue): bigint {
  if (value.kind !== "number") throw new JsonFault("is no number", field);
  const micro = millionths(value.text);
  if (micro === null) throw new JsonFault("is out of range or has more than 6 digits after the point", field);
  return micro;
}

function readArrival(value: JsonValue): number {
  const micro = readNumber("arrival_ms", value);
  if (micro % MICRO !== 0n || micro < 0n || micro > LATEST_MS * MICRO)
    throw new JsonFault("is no integer 0 … 31622400000", "arrival_ms");
  return Number(micro / MICRO);
}

function readCost(value: JsonValue): bigint {
  const micro = readNumber("cost", value);
  if (micro <= 0n || micro > DEAREST) throw new JsonFault("is not above 0 and at most 1e9", "cost");
  return micro;
}

function readSoft(value: JsonValue): boolean {
  // No number and no literal has such a text.
  if (value.text !== "soft" && value.text !== "hard")
    throw new JsonFault('is neither "soft" nor "hard"', "mode");
  return value.text === "soft";
}

function present(field: Field, value: JsonValue | undefined): JsonValue {
  if (value === undefined) throw new JsonFault("is missing", field);
  return value;
}

/** The request on a line (§1.3), or a JsonFault that names the field. */
export function readRequest(line: string): RequestRow {
  const [req_id, tenant, arrival_ms, cost, mode] = parseObjectLine(line, FIELDS);
  return {
    req_id: readName("req_id", present("req_id", req_id)),
    tenant: readTenant(present("tenant", tenant)),
    arrival_ms: readArrival(present("arrival_ms", arrival_ms)),
    cost: readCost(present("cost", cost)),
    soft: readSoft(present("mode", mode)),
  };
}
