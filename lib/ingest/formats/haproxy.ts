import { ColumnsRecord, columnIndex, REQUEST_FIELDS } from "./columns-record.ts";
import { type Format, fault, type LineReading } from "./format.ts";

const COLUMNS = [
  "client_ip",
  "client_port",
  "accept_date",
  "frontend",
  "backend",
  "server",
  "timers",
  "status",
  "bytes",
  "request_cookie",
  "response_cookie",
  "termination_state",
  "connections",
  "queues",
  "request_headers",
  "response_headers",
  "request",
];
const INDEX = columnIndex(COLUMNS);
/**
 * `option httplog`, and `httpslog`, which says more behind it. HAProxy writes a quote of its request line as `#22`; a long
 * line is cut off with its closing quote.
 */
const LINE =
  /^(?:haproxy\[\d+\]: )?(\S+):(\d+) \[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d\.\d+)\] (\S+) ([^\s/]+)\/(\S+) ([0-9/+-]+) (-?\d+) (\+?\d+) (\S+) (\S+) (\S{4}) ([0-9/+]+) ([0-9/]+)(?: \{([^}]*)\})?(?: \{([^}]*)\})? "([^"]*)(?:"(?: .*)?)?$/;

function read(line: string): LineReading {
  const match = LINE.exec(line);
  if (match === null) return fault("is no line of HAProxy's HTTP log");
  return {
    kind: "record",
    record: new ColumnsRecord(
      INDEX,
      match.slice(1).map((value) => value ?? ""),
    ),
  };
}

/** HAProxy's HTTP log. */
export const haproxy: Format = {
  id: "haproxy",
  title: "HAProxy, HTTP log",
  notes: ["HAProxy stamps a request's connection when it is accepted, in local time without a zone."],
  recognise: (lines) => (lines.some((line) => LINE.test(line)) ? { id: "haproxy" } : null),
  open: () => ({ read, fields: () => [...COLUMNS, ...REQUEST_FIELDS] }),
  defaults: () => ({
    tenant: { by: "address", field: "client_ip" },
    arrival: { field: "accept_date", unit: "clf" },
  }),
};
