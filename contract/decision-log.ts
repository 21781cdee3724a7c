import { z } from "zod";
import { GATE_ENDS, GATE_REASONS } from "./gate-reasons.ts";

/** The name and version by which a file of a decision log says what it is. */
export const DECISION_LOG_FORMAT = "tenantthrottle-decision-log/1";

const count = z.int().min(0);
const name = z.string().min(1);
/** A keyed hash, with the kind of what was hashed in front: who it is cannot be read from a log (G11). */
const clientHash = z.string().regex(/^(token|ip):[0-9a-f]{32}$/, "expected token: or ip: and 32 hex digits");
const holdHash = z.string().regex(/^[0-9a-f]{32}$/, "expected 32 hex digits");
const balances = z.array(z.tuple([name, z.number().min(0)]));
/** Number of a thing the gate did, from 1, and its time in milliseconds. */
const moment = { seq: z.int().min(1), at: count };
/**
 * Number of a call of a store that processes share, with the store's life in front (G12): the server counts the calls of
 * all processes from 1, so that their logs can be put into one order. A server that lost everything begins another life.
 */
const order = z
  .string()
  .regex(/^[0-9a-f]{8}:[1-9]\d{0,14}$/, "expected a life of 8 hex digits, a colon and a number");
/** Absent: the gate's own store, or nothing was asked of the shared one, or its answer did not come. */
const placed = { order: order.optional() };

/** The first line of each file of a log. */
const headerLine = z.strictObject({
  line: z.literal("header"),
  format: z.literal(DECISION_LOG_FORMAT),
  /** One log is one life of one gate; its files are numbered from 0. */
  log: z.uuid(),
  file: count,
  at: count,
  /** Which key the hashes were made with: `random`, or the first digits of the configured key's own hash. */
  key: z.string().regex(/^(random|[0-9a-f]{8})$/),
  /** Whether this gate alone turned to its store, so that the log tells everything that happened to it (G12). */
  store: z.enum(["memory", "shared"]),
  /**
   * Whether this gate alone counts freebies, and began with none, or they are counted on the shared store, whose order
   * they are in; else the counts told are facts from elsewhere (G7).
   */
  freebies: z.enum(["memory", "shared", "elsewhere"]),
  /** The gate states what it knows, in the lines after the live snapshot; in a file other than the first. */
  state: z.literal(true).optional(),
});

/** The snapshot that is live where a file other than the first begins. */
const liveLine = z.strictObject({ line: z.literal("live"), version: z.int().min(1), config: z.unknown() });

/** A snapshot that went live (G8), whole and in normal form. */
const publishLine = z.strictObject({
  line: z.literal("publish"),
  ...moment,
  ...placed,
  /**
   * It went live on a shared store that held nothing, by itself, or was overtaken before its gate heard of it; what the
   * gate goes by is what it was (G12).
   */
  founded: z.literal(true).optional(),
  version: z.int().min(1),
  config: z.unknown(),
});

/** Why an update did not go live (G8): `failed`: it could not be kept, or the shared store not be reached. */
export const REFUSALS = ["invalid", "outdated", "failed"] as const;

/**
 * An update that was refused, or failed, after the gate did what `seq` numbers: it changes nothing (G8). Of its
 * configuration, which nobody bounds, there is a digest, and the first of its problems.
 */
const refusedLine = z.strictObject({
  line: z.literal("refused"),
  seq: count,
  at: count,
  /** The version that stayed live. */
  version: z.int().min(1),
  why: z.enum(REFUSALS),
  /** The version it was made from; null: it was not known to be well yet. */
  from: z.int().nullable(),
  /** SHA-256 of its JSON; null: it has none. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  problems: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  /** How many there are. */
  problems_count: count,
});

/** What became of a freebie (G7); absent from a line: none was asked for. */
const FREEBIE_FATES = ["counted", "exhausted", "unspent", "unread", "uncounted", "taken"] as const;

/** A decision (G11). */
const decisionLine = z.strictObject({
  line: z.literal("decision"),
  ...moment,
  ...placed,
  /** The shared store was asked and could not be reached in time: what `on_unavailable` says was done (G12). */
  unreached: z.literal(true).optional(),
  /** `seq` of the last thing done when the request came; absent: nothing was done in between. */
  began: count.optional(),
  version: z.int().min(1),
  /** Null: unmatched. */
  service: name.nullable(),
  /** As it came; absent: there was none. */
  host: z.string().optional(),
  /** As it came, without query and fragment. */
  path: z.string(),
  credential: z.enum(["valid", "none"]),
  client: clientHash.nullable(),
  /** Ids of the rules that matched, in order. */
  rules: z.array(name),
  verdict: z.enum(["allowed", "denied", "challenged", "error", "unmatched"]),
  reason: z.enum(GATE_REASONS).nullable(),
  denied_by: z.array(name),
  retry_after_ms: count.nullable(),
  /** Of the rules that have a bucket, after the decision: the doubles nearest to the exact balances. */
  balances,
  freebie: z.enum(FREEBIE_FATES).optional(),
  /** Free requests that were counted before; absent: nobody asked, or they could not be read. */
  freebies_used: count.optional(),
  /** Where the shared store was asked how many, and where it counted one more, or did not. */
  freebie_read: order.optional(),
  freebie_counted: order.optional(),
  /** Hash of the id under which the admission was to stay provisional. */
  hold: holdHash.optional(),
  /** How the admission ended; `held`: a line of its own tells, or time; `none`: nothing was reserved (G4). */
  ended: z.enum(["committed", "cancelled", "held", "none"]),
  /** Where the freebie was counted or failed, and the admission ended with it. */
  settled: z.strictObject({ ...moment, ...placed }).optional(),
});

/** How a held admission was asked to end, and what came of it (G4). */
const endLine = z.strictObject({
  line: z.literal("end"),
  ...moment,
  ...placed,
  /** Where the shared store was given the freebie back. */
  freebie_returned: order.optional(),
  hold: holdHash,
  asked: z.enum(["committed", "cancelled"]),
  /** `unreached`: the shared store gave no answer in time (G12). */
  ended: z.enum(["committed", "cancelled", "already", "unknown", "unreached"]),
  was: z.enum(GATE_ENDS).nullable(),
  balances,
});

const ledger = z.strictObject({
  reserved: count,
  committed: count,
  cancelled: count,
  expired: count,
  outstanding: count,
});
const evictions = z.strictObject({ full: count, lossy: count });

/** What the gate says of itself after it did what `seq` numbers, and time came to `at` (G4, G6). */
const tallyLine = z.strictObject({
  line: z.literal("tally"),
  seq: count,
  at: count,
  /** Of a shared store: the call by which time came to `at`, and something expired or was forgotten by it. */
  ...placed,
  /** Of a shared store, where nothing did: the last call before. */
  after: order.optional(),
  ledger,
  evictions,
  /** Buckets of each service of the live snapshot; of a shared store, of each that ever was. */
  entries: z.array(z.tuple([name, count])),
});

/**
 * What the gate knows where a file other than the first begins, after it did what `seq` numbers and time came to `at`:
 * whoever has no file before this one can decide on from here, and takes the gate's word for it. The lines after this
 * one tell of as many buckets, admissions and counts of free requests as it says, and nothing else comes in between.
 */
const stateLine = z.strictObject({
  line: z.literal("state"),
  seq: count,
  at: count,
  ledger,
  evictions,
  buckets: count,
  admissions: count,
  freebies: count,
});

/** Buckets of one service: client, rule, the exact balance as a quotient of whole numbers, its time, and the order of use. */
const bucketsLine = z.strictObject({
  line: z.literal("buckets"),
  service: name,
  rows: z.array(
    z.tuple([
      clientHash,
      name,
      z.string().regex(/^\d+\/[1-9]\d*$/, "expected a quotient of whole numbers"),
      count,
      /** The higher, the later its last request; equal: the same request (G6). */
      count,
    ]),
  ),
});

/** Admissions that are outstanding, or have ended and are remembered, in the order in which they began (G4). */
const admissionsLine = z.strictObject({
  line: z.literal("admissions"),
  rows: z.array(
    z.strictObject({
      hold: holdHash,
      service: name,
      client: clientHash,
      /** Ids of the rules that matched. */
      rules: z.array(name),
      /** Of its buckets, those that it holds, and those that are gone with their rule (G8); empty once it has ended. */
      taken: z.array(name),
      gone: z.array(name),
      freebie: z.boolean(),
      hold_ms: count,
      /** When it expires or, ended, is forgotten. */
      due_ms: count,
      was: z.enum(GATE_ENDS).nullable(),
    }),
  ),
});

/** Free requests of clients in one service, where they are counted in memory (G7). */
const freebiesLine = z.strictObject({
  line: z.literal("freebies"),
  service: name,
  rows: z.array(z.tuple([clientHash, z.int().min(1)])),
});

/** The last line of a file. A file without one was cut off, or is still being written. */
const closeLine = z.strictObject({
  line: z.literal("close"),
  at: count,
  /** Lines before this one. */
  lines: count,
  /** Lines that could not be written since the log began. */
  lost: count,
  /** Digest of all bytes before this line. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const logLineSchema = z.discriminatedUnion("line", [
  headerLine,
  liveLine,
  publishLine,
  refusedLine,
  decisionLine,
  endLine,
  tallyLine,
  stateLine,
  bucketsLine,
  admissionsLine,
  freebiesLine,
  closeLine,
]);

/** One line of a decision log (G11). */
export type LogLine = z.output<typeof logLineSchema>;
export type LogHeader = z.output<typeof headerLine>;
export type LogPublish = z.output<typeof publishLine>;
export type LogRefused = z.output<typeof refusedLine> & { order?: never };
export type LogDecision = z.output<typeof decisionLine>;
export type LogEnd = z.output<typeof endLine>;
export type LogTally = z.output<typeof tallyLine>;
export type LogStateHead = z.output<typeof stateLine>;
export type LogBuckets = z.output<typeof bucketsLine>;
export type LogAdmissions = z.output<typeof admissionsLine>;
export type LogFreebies = z.output<typeof freebiesLine>;
/** The lines that tell what a gate knows where a file begins, together, with the snapshot before them. */
export interface LogState extends Omit<LogStateHead, "buckets" | "admissions" | "freebies"> {
  /** Only a gate whose store is its own states what it knows. */
  order?: never;
  version: number;
  config: unknown;
  buckets: LogBuckets[];
  admissions: LogAdmissions["rows"];
  freebies: LogFreebies[];
}
export type LogClose = z.output<typeof closeLine>;
/** What happened to the gate, in the order of `seq`. */
export type LogEvent = LogPublish | LogDecision | LogEnd | LogTally | LogState | LogRefused;

/** A place where a log and what the reference finds differ. */
export interface AuditDifference {
  file: string;
  /** From 1. */
  line: number;
  seq: number;
  clause: string;
  /** The field, such as `balances` or `ledger.reserved`. */
  field: string;
  logged: unknown;
  expected: unknown;
  service: string | null;
  client: string | null;
}

/** Why a log, or a part of it, could not be judged. */
export interface AuditGap {
  file: string;
  line: number | null;
  message: string;
}

/** What an audit came to (G11). `status`: 0 clean, 2 a difference, 3 nothing, or not everything, could be judged. */
export interface AuditResult {
  status: 0 | 2 | 3;
  /** Decisions that were recomputed, and lines of every kind that were read. */
  decisions: number;
  lines: number;
  /** Comparisons made. */
  checks: number;
  differences: number;
  /** Decisions that rest on a fact that only the gate knew: a freebie that could not be counted, or was counted elsewhere. */
  unproven_freebies: number;
  /** Decisions and ends for which the shared store could not be reached, as only the gate knew (G12). */
  unreached: number;
  /**
   * Where the judging began with what the gate itself states of its balances, admissions and counts, since no file before
   * is there: none of that was judged.
   */
  claims: { file: string; seq: number; at: number }[];
  /** Such statements that were checked against the recomputation of the files before. */
  states: number;
  /** Updates that were refused, or failed, after each of which the former snapshot was found to decide (G8). */
  refused: number;
  /** Lives of shared stores, each with the logs that tell of it, and the last number up to which it was judged. */
  stores: { life: string; logs: number; judged: number }[];
  /** The first of the differences, as many as were asked for. */
  first: AuditDifference[];
  gaps: AuditGap[];
  /** Of the first and the last decision, milliseconds; null: there was none. */
  span: { from: number; to: number } | null;
  versions: number[];
}
