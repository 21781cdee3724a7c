import { ColumnsRecord, columnIndex, REQUEST_FIELDS } from "./columns-record.ts";
import { type Format, fault, type LineReader, type LineReading } from "./format.ts";
import { JsonReader, objectsOf } from "./json-format.ts";
import type { Aliases } from "./json-record.ts";
import { tokensOf } from "./tokens.ts";

const ALIASES: Aliases = new Map([
  ["time", ["start_time"]],
  ["address", ["downstream_remote_address", "x-forwarded-for", "x_forwarded_for"]],
  ["host", [":authority", "authority"]],
  ["method", ["method", ":method"]],
  ["path", ["x-envoy-origin-path", "x-envoy-original-path", "path", ":path"]],
  ["request_id", ["x-request-id", "request_id"]],
]);

const FIRST = ["start_time", "request", "response_code", "response_flags"];
const MIDDLE = [
  "bytes_received",
  "bytes_sent",
  "duration",
  "upstream_service_time",
  "x-forwarded-for",
  "user-agent",
  "x-request-id",
  ":authority",
  "upstream_host",
];
/** Envoy's default text. */
const ENVOY = [...FIRST, ...MIDDLE];
/** Istio's, which says more of a response and of its connection. */
const ISTIO = [
  ...FIRST,
  "response_code_details",
  "connection_termination_details",
  "upstream_transport_failure_reason",
  ...MIDDLE,
  "upstream_cluster",
  "upstream_local_address",
  "downstream_local_address",
  "downstream_remote_address",
  "requested_server_name",
  "route_name",
];
const TEXT = /^\[\d{4}-\d\d-\d\dT[^\]]*\] "/;

/** A text record under the names that the JSON one has. */
function textIndex(columns: readonly string[]): Map<string, number> {
  const index = columnIndex(columns);
  for (const [alias, names] of ALIASES) {
    const name = names.find((candidate) => index.has(candidate));
    if (name !== undefined) index.set(alias, index.get(name)!);
  }
  return index;
}
const ENVOY_INDEX = textIndex(ENVOY);
const ISTIO_INDEX = textIndex(ISTIO);

function readText(line: string): LineReading {
  const tokens = TEXT.test(line) ? tokensOf(line) : null;
  if (tokens === null) return fault("is neither JSON nor a line of Envoy's default text");
  const index = tokens.length === ENVOY.length ? ENVOY_INDEX : ISTIO_INDEX;
  if (index === ISTIO_INDEX && tokens.length !== ISTIO.length)
    return fault(`has ${tokens.length} fields; expected ${ENVOY.length} (Envoy) or ${ISTIO.length} (Istio)`);
  return { kind: "record", record: new ColumnsRecord(index, tokens) };
}

class EnvoyReader implements LineReader {
  private readonly json = new JsonReader(ALIASES);
  private hasText = false;

  read(line: string): LineReading {
    if (line.startsWith("{")) return this.json.read(line);
    this.hasText = true;
    return readText(line);
  }

  fields(): string[] {
    const text = this.hasText ? [...ENVOY_INDEX.keys(), ...REQUEST_FIELDS] : [];
    return [...new Set([...ALIASES.keys(), ...this.json.fields(), ...text])];
  }
}

const isMarked = (lines: readonly string[]): boolean =>
  objectsOf(lines, ALIASES).some((object) => object.has("start_time") && object.has("response_code"));

/** Envoy and Istio, as JSON or as their default text. */
export const envoy: Format = {
  id: "envoy",
  title: "Envoy or Istio, JSON or default text",
  notes: ["Envoy stamps a request when it arrives."],
  recognise: (lines) => (isMarked(lines) || lines.some((line) => TEXT.test(line)) ? { id: "envoy" } : null),
  open: () => new EnvoyReader(),
  defaults: () => ({
    tenant: { by: "address", field: "address" },
    arrival: { field: "time", unit: "iso" },
  }),
};
