import { z } from "zod";
import { COST_MAX } from "./limits.ts";
import { FORMAT_IDS } from "./log-formats.ts";
import { nameSchema } from "./name.ts";
import { decimalSchema, integerSchema } from "./number.ts";
import { MODES } from "./request.ts";

/** What a container runtime (`docker`: its json-file driver) or syslog wrote around each line. */
export const WRAPPINGS = ["none", "cri", "docker", "syslog"] as const;
export type Wrapping = (typeof WRAPPINGS)[number];

/** How a stamp is written. The unit of a number is stated, never guessed. */
export const TIME_UNITS = ["iso", "clf", "s", "ms", "us", "ns"] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

/** A column of the log; what a format calls them is shown when it is recognised. */
const field = z.string().min(1).max(200);
const expression = z.string().min(1).max(1000);
const cost = decimalSchema({ min: 0n, open: true, max: COST_MAX * 1_000_000n });
/** What stands for a field that is absent, empty or "-"; without it such a line is a problem. */
const missing = nameSchema.optional();

const formatSchema = z.strictObject({
  id: z.enum(FORMAT_IDS),
  unwrap: z.enum(WRAPPINGS).optional(),
  /** For `nginx`: the format as nginx's `log_format` has it. */
  log_format: z.string().min(1).max(10_000).optional(),
  /** For `csv`: what stands between columns. */
  delimiter: z.enum([",", "\t", ";", "|"]).optional(),
  /** For `csv`: the columns' names, where the first line is not their header. */
  columns: z.array(field).min(1).max(1000).optional(),
});

const tenantSchema = z.discriminatedUnion("by", [
  z.strictObject({
    by: z.literal("address"),
    field,
    /** Bits of an IPv4 and of an IPv6 address that make one tenant; absent: all. */
    v4: integerSchema(0, 32).optional(),
    v6: integerSchema(0, 128).optional(),
    /** Which address of a list (`X-Forwarded-For`); absent: the first. */
    hop: z.enum(["first", "last"]).optional(),
    missing,
  }),
  /** A user, a header, any column as it stands. */
  z.strictObject({ by: z.literal("field"), field, missing }),
  /** A secret: its SHA-256 stands for it, so that no key is written into a report. */
  z.strictObject({ by: z.literal("key"), field, missing }),
  /** A host in lower case, without its port. */
  z.strictObject({ by: z.literal("host"), field, missing }),
  z.strictObject({ by: z.literal("path-segment"), field, segment: integerSchema(1, 100), missing }),
  /** The first group of an RE2 expression, or what it fits where it has none. */
  z.strictObject({ by: z.literal("capture"), field, expression, missing }),
]);

const arrivalSchema = z.strictObject({
  field,
  unit: z.enum(TIME_UNITS),
  /** IANA name of the zone of stamps that have none. */
  zone: z.string().min(1).max(100).optional(),
  /** Which of two moments a stamp means that the end of summer time makes happen twice; absent: such a line is a problem. */
  repeated_hour: z.enum(["earlier", "later"]).optional(),
  /** The stretch of time that is imported, by stamps of ISO 8601 with a zone: from the first on, up to the second. */
  from: z.string().min(1).max(100).optional(),
  to: z.string().min(1).max(100).optional(),
});

const costSchema = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("constant"), cost }),
  z.strictObject({ by: z.literal("field"), field, missing: cost.optional() }),
  z.strictObject({
    by: z.literal("method"),
    field,
    costs: z.array(z.strictObject({ method: z.string().min(1).max(100), cost })).max(100),
    otherwise: cost,
  }),
  /** The first RE2 expression that fits the path decides. */
  z.strictObject({
    by: z.literal("path"),
    field,
    costs: z.array(z.strictObject({ expression, cost })).max(100),
    otherwise: cost,
  }),
]);

const modeSchema = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("constant"), mode: z.enum(MODES) }),
  /** Requests whose field is one of these may be queued; every other is hard. */
  z.strictObject({ by: z.literal("field"), field, soft: z.array(z.string().max(200)).max(100) }),
]);

const reqIdSchema = z.discriminatedUnion("by", [
  /** `line-` and the number of the line. */
  z.strictObject({ by: z.literal("line") }),
  z.strictObject({ by: z.literal("field"), field }),
]);

/** How the lines of a log become requests of the canonical stream (§1.3). */
export const mappingSchema = z
  .strictObject({
    version: integerSchema(1, 1),
    format: formatSchema,
    tenant: tenantSchema,
    arrival: arrivalSchema,
    cost: costSchema,
    mode: modeSchema,
    req_id: reqIdSchema,
  })
  .superRefine(({ format }, context) => {
    const say = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: ["format", path], message });
    if (format.id === "canonical")
      say("id", "is the canonical stream, which needs no mapping; expected the format of a log");
    if ((format.id === "nginx") !== (format.log_format !== undefined))
      say("log_format", "expected for the format nginx, and for no other");
    if (format.id !== "csv" && format.delimiter !== undefined) say("delimiter", "expected for csv only");
    if (format.id !== "csv" && format.columns !== undefined) say("columns", "expected for csv only");
  });

export type Mapping = z.output<typeof mappingSchema>;
export type FormatSpec = Mapping["format"];
export type TenantMapping = Mapping["tenant"];
export type ArrivalMapping = Mapping["arrival"];
export type CostMapping = Mapping["cost"];
export type ModeMapping = Mapping["mode"];

/** A line of the log that is no request: its number, the part of the mapping at fault, why, and the line (clipped). */
export interface ImportProblem {
  line: number;
  field: string;
  reason: string;
  text: string;
}

/** Requests that lie too far apart for one round (§1.3), and what can be done. */
export interface ArrivalSpread {
  /** The earliest arrival, ISO 8601 in UTC, and its line: often the one at fault. */
  earliest: string;
  line: number;
  /** Requests that arrived too long after it. */
  beyond: number;
  /** Where the stretch of a round's length begins that holds most requests, and how many; null where none is found. */
  stretch: { from: string; requests: number } | null;
}

/**
 * What an import came to. `lines` = `requests` + `problem_count` + `other_lines`: the last are lines that hold no
 * request of their own (empty ones, headers, directives, the continuation of a record).
 */
export interface ImportSummary {
  lines: number;
  requests: number;
  problem_count: number;
  other_lines: number;
  /** The first hundred (§1.3). */
  problems: ImportProblem[];
  /** Requests that arrived before one that stands above them in the file; this changes no result. */
  out_of_order: number;
  /** The earliest and the latest arrival, ISO 8601 in UTC to the nanosecond; null where there is no request. */
  first: string | null;
  last: string | null;
  /** Bytes of the file as it came, and unpacked. */
  raw_bytes: number;
  unpacked_bytes: number;
  packing: Packing;
  /** Where requests were too far apart. */
  spread?: ArrivalSpread;
}

export const PACKINGS = ["none", "gzip", "zstd"] as const;
export type Packing = (typeof PACKINGS)[number];

/** A field that a format has, with an example from the log. */
export interface LogField {
  name: string;
  example: string | null;
}

/** What a log's first lines were taken for. */
export interface Recognition {
  format: FormatSpec;
  title: string;
  /** What the stamps mean, and other things to know, in sentences. */
  notes: string[];
  packing: Packing;
  /** Of the lines looked at: how many there were, and how many are of this format. */
  lines_seen: number;
  lines_read: number;
  fields: LogField[];
  /** A mapping to begin with; what must still be stated is in `asks`. */
  proposal: MappingProposal;
  asks: string[];
}

/** A mapping as JSON has it, with holes: a tenant or an arrival that nothing in the log suggests is null. */
export interface MappingProposal {
  version: 1;
  format: FormatSpec;
  tenant: TenantMapping | null;
  arrival: ArrivalMapping | null;
  cost: { by: "constant"; cost: number };
  mode: ModeMapping;
  req_id: Mapping["req_id"];
}

export type RecogniseResult = { ok: true; recognition: Recognition } | { ok: false; reason: string };

/** A row of a preview: what a line became. */
export interface PreviewRow {
  line: number;
  text: string;
  outcome:
    | {
        ok: true;
        req_id: string;
        tenant: string;
        arrived_at: string;
        cost: string;
        mode: (typeof MODES)[number];
      }
    | { ok: false; field: string; reason: string };
}

/** The first rows of a log, and whether the requests looked at are already too far apart for one round. */
export interface LogPreview {
  rows: PreviewRow[];
  spread: ArrivalSpread | null;
}

/** What the first bytes of a file were taken for. */
export type Recognised =
  | { kind: "canonical" }
  | { kind: "log"; result: RecogniseResult }
  /** An archive that is cut off, damaged, or of a kind that is not unpacked. */
  | { kind: "unreadable"; reason: string };

/** A mapping kept by name. */
export interface SavedMapping {
  name: string;
  saved_at_ms: number;
  /** As JSON has it. */
  mapping: MappingDraft;
}

/** A mapping as JSON has it, before it is judged. */
export type MappingDraft = z.input<typeof mappingSchema>;
