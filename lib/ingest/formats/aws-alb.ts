import { ColumnsRecord, columnIndex, REQUEST_FIELDS } from "./columns-record.ts";
import { type Format, fault, type LineReading } from "./format.ts";
import { tokensOf } from "./tokens.ts";

/** Columns as AWS names them; later ones were added over the years. */
const COLUMNS = [
  "type",
  "time",
  "elb",
  "client:port",
  "target:port",
  "request_processing_time",
  "target_processing_time",
  "response_processing_time",
  "elb_status_code",
  "target_status_code",
  "received_bytes",
  "sent_bytes",
  "request",
  "user_agent",
  "ssl_cipher",
  "ssl_protocol",
  "target_group_arn",
  "trace_id",
  "domain_name",
  "chosen_cert_arn",
  "matched_rule_priority",
  "request_creation_time",
  "actions_executed",
  "redirect_url",
  "error_reason",
  "target:port_list",
  "target_status_code_list",
  "classification",
  "classification_reason",
  "conn_trace_id",
];
const FEWEST = COLUMNS.indexOf("trace_id") + 1;
const INDEX = columnIndex(COLUMNS);
const LINE = /^(?:https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT\S+Z \S+ \S+ /;

function read(line: string): LineReading {
  const tokens = LINE.test(line) ? tokensOf(line) : null;
  if (tokens === null) return fault("is no line of an application load balancer");
  if (tokens.length < FEWEST) return fault(`has ${tokens.length} fields; expected at least ${FEWEST}`);
  return { kind: "record", record: new ColumnsRecord(INDEX, tokens) };
}

/** AWS Application Load Balancer. */
export const awsAlb: Format = {
  id: "aws-alb",
  title: "AWS Application Load Balancer",
  notes: ["`time` is when the request was answered, `request_creation_time` when it arrived."],
  recognise: (lines) => (lines.some((line) => LINE.test(line)) ? { id: "aws-alb" } : null),
  open: () => ({ read, fields: () => [...COLUMNS, ...REQUEST_FIELDS] }),
  defaults: () => ({
    tenant: { by: "address", field: "client:port" },
    arrival: { field: "time", unit: "iso" },
  }),
};
