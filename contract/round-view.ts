/**
 * What the pages show of a round: plain values that travel from the use cases to components. Times are milliseconds;
 * `*_at_ms` since the Unix epoch, `arrival_ms` and `time_ms` since the start of the round. Tokens are doubles nearest
 * to the exact values.
 */
import type { HealthClaim } from "./bundle.ts";
import type { GroupRow } from "./group.ts";
import type { CheckResult, CheckTally } from "./health.ts";
import type { InputProblem } from "./input.ts";
import type { ArrivalSpread, ImportSummary } from "./mapping.ts";
import type { Counts, Totals } from "./report.ts";
import type { LineProblem, Mode, Reading, SkippedLines } from "./request.ts";
import type { RoundSeal, SealFinding } from "./seal.ts";
import type { SignalBoard } from "./signals.ts";
import type { Reason, Verdict } from "./verdicts.ts";

export const ROUND_STATES = ["waiting", "running", "done", "refused", "failed", "cancelled"] as const;
export type RoundState = (typeof ROUND_STATES)[number];

/** What a running round is at. Shown in this order. */
export const ROUND_PHASES = [
  "import",
  "read",
  "decide",
  "write",
  "recompute",
  "compare",
  "store",
  "probe",
] as const;
export type RoundPhase = (typeof ROUND_PHASES)[number];

export interface RoundProgress {
  phase: RoundPhase;
  /** Work done and to do in this phase, in `unit`; `total` null where it is not known. */
  done: number;
  total: number | null;
  unit: "bytes" | "requests" | "checks" | "rows" | "steps";
  /** When this phase began. */
  started_at_ms: number;
  /** Phases that are over, in order. */
  past: { phase: RoundPhase; took_ms: number }[];
}

/** How far one phase is, as whoever does its work tells it. */
export type PhaseProgress = Omit<RoundProgress, "started_at_ms" | "past">;

/** Why a round has no verdict: every problem with its file, line and field (§1). */
export interface RoundProblem {
  /** One sentence for people. */
  message: string;
  /** §5.4; 2 where the facts are unavailable, 3 where contract or policy are. */
  status: 2 | 3;
  documents: InputProblem[];
  /** Bad lines of the stream, first hundred, and how many there were. */
  lines: LineProblem[];
  line_count: number;
  /** Where the requests of a log lie too far apart. */
  spread?: ArrivalSpread;
}

/** Verdicts over time: bins of equal width over the span of the round; each array holds one number a bin. */
export interface VerdictSeries {
  start_ms: number;
  width_ms: number;
  accepted: number[];
  queued: number[];
  rejected: number[];
}

/** Figures as a report that was made elsewhere has them; null where it has none. */
export interface ReportedFigures {
  counts: { [field in keyof Counts]: number | null };
  totals: { [field in keyof Totals]: number | null };
}

/** What is known of a report that was made elsewhere. */
export interface AuditFacts {
  report_name: string;
  /** The status with which whatever made it ended; null where nobody told. */
  exit_status: number | null;
}

/** Requests of tenants that have no bucket and are rejected for it (§3.6), and how many tenants these are. */
export interface UnservedTenants {
  unknown: { requests: number; tenants: number };
  denylisted: { requests: number; tenants: number };
}

/** What a finished round came to. */
export interface RoundSummary {
  /** Of the report; of an audit the reference's, and the report's own are in `reported`. */
  counts: Counts;
  totals: Totals;
  /** Of an audit alone. */
  reported?: ReportedFigures;
  /** Of the reference, beside them. */
  reference_counts: Counts;
  reference_totals: Totals;
  /** Null, as the next two, where a report that was made elsewhere has none. */
  ok: boolean | null;
  exit_status: number | null;
  checksum: string | null;
  /** Null only where it is withheld. */
  reference_checksum: string | null;
  requests: number;
  tenants: number;
  /** Absent from rounds of before it was counted. */
  unserved?: UnservedTenants;
  /** Latest arrival minus earliest; 0 for an empty stream. */
  span_ms: number;
  skipped: SkippedLines;
  board: SignalBoard;
  /** What health claims, with any fault of a signal in force. */
  health: HealthClaim;
  /** What the recomputation truly found. */
  truth: HealthClaim;
  probe: { result: "ok" | "bad" | "unjudged"; compared: number; mismatches: number; message?: string };
  acceptance: Criterion[];
  table: CheckTally[];
  series: VerdictSeries;
  /** False where matching places were too many to keep; mismatches always are kept. */
  matches_kept: boolean;
}

/** One acceptance criterion (§5.5); `passed` null where it could not be judged, which is not green. */
export interface Criterion {
  id: string;
  group: string;
  clause: string;
  title: string;
  passed: boolean | null;
  detail: string;
}

/** What the list shows of a finished round. */
export type RoundCard = Pick<RoundSummary, "counts" | "requests" | "tenants" | "span_ms" | "board"> & {
  /** Tenants with a breach by the reference; absent where an older version noted the round. */
  reference_breached?: number;
  /** Requests of tenants whom the policy does not name; absent as the last. */
  unknown_requests?: number;
};

/** How a finished round ended, for finding it: clean only where recomputation and all five signals are. */
export const ROUND_OUTCOMES = ["clean", "finding", "unjudged"] as const;
export type RoundOutcome = (typeof ROUND_OUTCOMES)[number];

/**
 * What the list knows of a round's stored files without reading them. `unread`: not read since the server started, or
 * touched since; `reading`: the same, and they are read now; `broken`: something is another one, or gone, and the sentence
 * says what.
 */
export interface ListedSeal {
  state: "kept" | "reading" | "unread" | "broken";
  sentence: string | null;
}

/** A row of the list of rounds. */
export interface RoundListRow {
  seal: ListedSeal;
  id: string;
  name: string;
  state: RoundState;
  created_at_ms: number;
  /** Number of injected faults. */
  faults: number;
  /** Whether its report was made elsewhere. */
  audit: boolean;
  stream_name: string;
  stream_sha256: string;
  progress: RoundProgress | null;
  /** Why a round has no verdict, in one sentence. */
  message: string | null;
  /** Null also where the seal is broken: then it counts no longer. */
  card: RoundCard | null;
  /** When it was removed; it can be put back for a while. */
  removed_at_ms: number | null;
}

/** A round as its own pages know it. */
export interface RoundListItem {
  id: string;
  name: string;
  state: RoundState;
  created_at_ms: number;
  finished_at_ms: number | null;
  reading: Reading;
  /** Injected faults by id; empty for an honest round. */
  faults: string[];
  /** Of an audit: its report was made elsewhere. Null for a round that was decided here. */
  audit: AuditFacts | null;
  stream_name: string;
  stream_bytes: number;
  /** When the earliest request of a log arrived, from which `arrival_ms` counts; null where the stream tells no moments. */
  log_start_at_ms: number | null;
  progress: RoundProgress | null;
  problem: RoundProblem | null;
  summary: RoundSummary | null;
  /** Why the rows of a finished round, lost or stored by an older version, could not be made again; null where they can. */
  view_problem: string | null;
  /** Files of the rows that were found gone or damaged: the rows are made again. */
  view_lost: SealFinding[];
  /** Whether the stored files are those that were judged; where not, the summary claims nothing. */
  seal: RoundSeal;
}

/** The log that a round's stream was made from. */
export interface RoundImport {
  /** Of the log as it came. */
  sha256: string;
  bytes: number;
  /** Its mapping as JSON; null for a canonical stream that was only packed. */
  mapping: string | null;
  /** Null while it is not imported. */
  summary: ImportSummary | null;
}

/** Digests are null where they are withheld; texts where the stored file is not the one that was judged. */
export interface RoundInputs {
  contract: { name: string; sha256: string | null; text: string | null };
  policy: { name: string; sha256: string | null; text: string | null };
  stream: { name: string; sha256: string | null; bytes: number };
  report: { sha256: string | null } | null;
  import: RoundImport | null;
}

/** One page of a longer list. */
export interface Page<T> {
  rows: T[];
  total: number;
}

export interface TenantRow {
  tenant: string;
  tier: string;
  tier_rank: number;
  guaranteed: boolean;
  capacity: number;
  opening_tokens: number;
  closing_tokens: number;
  reserve_tokens: number;
  reserve_breached: boolean;
  used: number;
  accepted: number;
  queued: number;
  rejected: number;
  groups: number;
  breaches: number;
}

export interface DecisionRow {
  position: number;
  req_id: string;
  tenant: string;
  /** Null for a request that is not served (§3.6). */
  tier_rank: number | null;
  arrival_ms: number;
  cost: number;
  mode: Mode;
  /** Place among the valid lines of the file, from 0. */
  file_position: number;
  /** Place in the dispatch order, from 0; null for a request that is not dispatched. */
  dispatch_position: number | null;
  verdict: Verdict;
  reason: Reason | null;
  wait_ms: number | null;
  reserve_breached: boolean;
  /** Whether it is decided otherwise from full or from empty buckets; absent where that was not found. */
  depends_on_start?: boolean;
}

/** A group with which side found it; `req_ids` holds the first 50, `members` counts all. */
export interface GroupView extends GroupRow {
  source: "engine" | "reference";
  members: number;
}

/** Parts of the field diff, in the order of their reading. */
export const PLACE_SECTIONS = [
  "counts",
  "totals",
  "tenants",
  "decisions",
  "order",
  "checksum",
  "report",
] as const;
export type PlaceSection = (typeof PLACE_SECTIONS)[number];

/** One place of the field diff (§5.2). `reported` and `expected` are JSON texts, null where there is no value. */
export interface PlaceRow {
  position: number;
  check: string;
  clause: string;
  section: PlaceSection;
  /** Tenant or request the place is about; empty for none. */
  subject: string;
  path: string;
  result: CheckResult;
  reported: string | null;
  expected: string | null;
  /** Why a mismatch is what binary floating point makes of the exact value (§2); null where it does not explain it. */
  noise: string | null;
}

export interface PlaceCount {
  section: PlaceSection;
  result: CheckResult;
  count: number;
}

/** What is drawn of a group. */
export type BalancePoint = Pick<
  GroupView,
  "time_ms" | "signed_balance" | "signed_after" | "verdict" | "reserve_breached"
>;

/** A tenant's balance over time; `points` are its groups, thinned where there were too many. */
export interface BalanceSeries {
  tenant: TenantRow;
  points: BalancePoint[];
  /** Groups that thinning left out. */
  folded: number;
}

export interface ShareRow {
  id: string;
  /** Last characters of the token; the token itself is not stored. */
  hint: string;
  created_at_ms: number;
  expires_at_ms: number | null;
  revoked_at_ms: number | null;
  opened_count: number;
  last_opened_at_ms: number | null;
  /** Whether the link also gives the stream. */
  raw: boolean;
  /** Whether names are shown masked. */
  masked: boolean;
}

/** A fault as the console lists it (§6). */
export interface FaultInfo {
  id: string;
  clause: string;
  title: string;
  summary: string;
  kind: "rule" | "signal";
}

export type DocumentKind = "contract" | "policy";

/** What a round was to be decided from, as another one begins with it. */
export interface RunAgain {
  round_id: string;
  name: string;
  reading: Reading;
  faults: string[];
  contract: { name: string; text: string };
  policy: { name: string; text: string };
  stream: { name: string; bytes: number };
  /** How the lines of a log become requests, as it was stated; null where the stream is read as it is. */
  mapping: unknown;
}

/** A version of a kept contract or policy. */
export interface KeptVersion {
  document_id: string;
  /** From 1, without gaps. */
  version: number;
  sha256: string;
  bytes: number;
  created_at_ms: number;
}

/** A kept contract or policy with its latest version. */
export interface KeptDocument {
  id: string;
  name: string;
  latest: KeptVersion;
}

/** A kept version with its text. */
export interface KeptText {
  name: string;
  version: KeptVersion;
  text: string;
}
