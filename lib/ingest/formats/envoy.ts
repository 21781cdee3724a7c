import { ColumnsRecord, columnIndex, REQUEST_FIELDS } from "./columns-record.ts";
import { type Format, fault, type LineReader, type LineReading } from "./format.ts";
import { JsonReader, objectsOf } from "./json-format.ts";
import type { Aliases } from "./json-record.ts";
import { tokensOf } from "./tokens.ts";

const ALIASES: Aliases = new Map([
  ["time", ["start_time"]],
  ["address", ["x-forwarded-for", "x_forwarded_for", "downstream_remote_address"]],
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
class TextRecord extends ColumnsRecord {
  override value(field: string): string | null {
    for (const name of ALIASES.get(field) ?? [field]) {
      const value = super.value(name);
      if (value !== null) return value;
    }
    return null;
  }
}
const ENVOY_INDEX = columnIndex(ENVOY);
const ISTIO_INDEX = columnIndex(ISTIO);

function readText(line: string): LineReading {
  const tokens = TEXT.test(line) ? tokensOf(line) : null;
  if (tokens === null) return fault("is neither JSON nor a line of Envoy's default text");
  const index = tokens.length === ENVOY.length ? ENVOY_INDEX : ISTIO_INDEX;
  if (index === ISTIO_INDEX && tokens.length !== ISTIO.length)
    return fault(`has ${tokens.length} fields; expected ${ENVOY.length} (Envoy) or ${ISTIO.length} (Istio)`);
  return { kind: "record", record: new TextRecord(index, tokens) };
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
  notes: [
    "Envoy stamps a request when it arrives.",
    "The address is the first of X-Forwarded-For, as the default text has no other; downstream_remote_address is the one that clients cannot make up.",
  ],
  recognise: (lines) => (isMarked(lines) || lines.some((line) => TEXT.test(line)) ? { id: "envoy" } : null),
  open: () => new EnvoyReader(),
  defaults: () => ({
    tenant: { by: "address", field: "address" },
    arrival: { field: "time", unit: "iso" },
  }),
};
