import type { Generated, Insertable, Selectable, Updateable } from "kysely";

/** Columns that hold a boolean are 0 or 1; JSON is text; times are milliseconds since the Unix epoch. */
interface RoundTable {
  id: string;
  name: string;
  state: string;
  created_at_ms: number;
  finished_at_ms: number | null;
  reading: string;
  /** Ids of injected faults, a JSON array. */
  faults: string;
  contract_name: string;
  contract_sha256: string;
  policy_name: string;
  policy_sha256: string;
  stream_name: string;
  stream_sha256: string;
  stream_bytes: number;
  report_sha256: string | null;
  /** Of a view of the first format, one SQLite file, that is still to be made again; else null. */
  view_sha256: string | null;
  /** Format and digests of the files that the pages query, opaque here. */
  view: string | null;
  /** Why a view of an older format could not be made again; the pages then have no rows. */
  view_problem: string | null;
  requests: number | null;
  false_green: number | null;
  /** What the pages show of a finished round, opaque here. */
  summary: string | null;
  /** Why a round has no verdict, opaque here. */
  problem: string | null;
  /** When somebody removed it; it can be put back until it is swept. */
  deleted_at_ms: number | null;
  /** 1 where removing it ended it before it was done: put back, it runs again. */
  requeue: number | null;
  /** Of a finished round: clean, finding or unjudged. */
  outcome: string | null;
  /** The part of the summary that the list shows, opaque here: a summary is too long to be read fifty times. */
  card: string | null;
  /** Of the log as it came, where the stream is made from one. */
  raw_sha256: string | null;
  raw_bytes: number | null;
  /** How its lines become requests, opaque here; null for a packed canonical stream. */
  mapping: string | null;
  /** What its import came to, opaque here; null while it is to be imported. Until then `stream_sha256` is the log's. */
  import: string | null;
  /** Of a report that was made elsewhere: what is known of it, opaque here; null where the engine made it. */
  audit: string | null;
  /** Of a finished round: digests of this row as it was written, opaque here. */
  seal: string | null;
}

interface MappingTable {
  name: string;
  text: string;
  saved_at_ms: number;
}

interface TenantNameTable {
  id: Generated<number>;
  name: string;
}

interface RoundTenantTable {
  tenant_id: number;
  round_id: string;
}

interface DocumentTable {
  id: string;
  /** contract or policy */
  kind: string;
  name: string;
  created_at_ms: number;
}

interface DocumentVersionTable {
  document_id: string;
  /** From 1, without gaps. */
  version: number;
  sha256: string;
  bytes: number;
  created_at_ms: number;
}

interface ShareTable {
  id: string;
  round_id: string;
  /** Of the token; the token itself is never stored. */
  token_sha256: string;
  hint: string;
  created_at_ms: number;
  expires_at_ms: number | null;
  revoked_at_ms: number | null;
  opened_count: Generated<number>;
  last_opened_at_ms: number | null;
  /** 1 where the link also gives the stream. */
  raw: Generated<number>;
  /** Key of the masks of its names, 64 hex digits; null where names are shown as they are. */
  mask_key: string | null;
}

interface SettingTable {
  key: string;
  value: string;
}

interface StudyTable {
  id: string;
  kind: string;
  /** What tells studies of the same question, opaque here. */
  question: string;
  name: string;
  state: string;
  created_at_ms: number;
  finished_at_ms: number | null;
  /** What it works on, opaque here. */
  inputs: string;
  /** Digests of the artifacts that it needs, a JSON array. */
  artifacts: string;
  /** What the pages show of a finished study, opaque here. */
  result: string | null;
  /** Rows that the pages query. */
  result_sha256: string | null;
  problem: string | null;
  /** Of a finished study: a digest of this row as it was written. */
  seal: string | null;
}

interface DeviationTable {
  id: string;
  round_id: string;
  /** Null: every place of the check. */
  path: string | null;
  check_id: string;
  reason: string;
  recorded_by: string;
  recorded_at_ms: number;
  withdrawn_at_ms: number | null;
}

export interface Schema {
  deviation: DeviationTable;
  round: RoundTable;
  share: ShareTable;
  setting: SettingTable;
  tenant_name: TenantNameTable;
  round_tenant: RoundTenantTable;
  document: DocumentTable;
  document_version: DocumentVersionTable;
  study: StudyTable;
  mapping: MappingTable;
}

export type RoundRow = Selectable<RoundTable>;
export type NewRound = Insertable<RoundTable>;
export type RoundPatch = Updateable<RoundTable>;
export type MappingRow = Selectable<MappingTable>;
export type ShareRecord = Selectable<ShareTable>;
export type StudyRow = Selectable<StudyTable>;
export type NewStudy = Insertable<StudyTable>;
export type StudyPatch = Updateable<StudyTable>;
