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
  view_sha256: string | null;
  requests: number | null;
  false_green: number | null;
  /** What the pages show of a finished round, opaque here. */
  summary: string | null;
  /** Why a round has no verdict, opaque here. */
  problem: string | null;
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
}

interface SettingTable {
  key: string;
  value: string;
}

export interface Schema {
  round: RoundTable;
  share: ShareTable;
  setting: SettingTable;
}

export type RoundRow = Selectable<RoundTable>;
export type NewRound = Insertable<RoundTable>;
export type RoundPatch = Updateable<RoundTable>;
export type ShareRecord = Selectable<ShareTable>;
