/** Draft of the door; implementation follows in the same file's neighbours. */

import type { InputProblem } from "../../contract/input.ts";
import type { Reading } from "../../contract/request.ts";
import type {
  BalanceSeries,
  DecisionRow,
  FaultInfo,
  GroupView,
  Page,
  PlaceCount,
  PlaceRow,
  RoundInputs,
  RoundListItem,
  ShareRow,
  TenantRow,
} from "../../contract/round-view.ts";

/** A round to be run: the stream is an upload that has ended, or the scenario's; documents come as text. */
export interface Submission {
  name?: string;
  reading: Reading;
  faults: string[];
  contract: { name: string; text: string };
  policy: { name: string; text: string };
  stream:
    | { kind: "upload"; upload_id: string; sha256: string; bytes: number; name: string }
    | { kind: "text"; name: string; text: string }
    | { kind: "scenario" };
}
export type SubmitResult = { ok: true; id: string } | { ok: false; problems: InputProblem[] };

export interface DecisionQuery {
  verdict?: string;
  tenant?: string;
  reason?: string;
  search?: string;
  breached?: boolean;
  sort: "dispatch" | "file" | "arrival" | "wait";
  dir: "asc" | "desc";
  limit: number;
  offset: number;
}
export interface TenantQuery {
  search?: string;
  sort: "worst" | "name" | "used" | "rejected" | "breaches";
  limit: number;
  offset: number;
}
export interface PlaceQuery {
  section?: string;
  result: "open" | "all" | "match" | "mismatch" | "indeterminate";
  subject?: string;
  limit: number;
  offset: number;
}
export interface ListQuery {
  search?: string;
  state?: string;
  false_green?: boolean;
  sort: "created" | "name" | "requests";
  dir: "asc" | "desc";
  limit: number;
  offset: number;
}

/** The round's rows, for pages. All synchronous: indexed look-ups of at most `limit` rows. */
export interface RoundRows {
  tenants(query: TenantQuery): Page<TenantRow>;
  tenant(name: string): TenantRow | null;
  decisions(query: DecisionQuery): Page<DecisionRow>;
  groups(source: "engine" | "reference", tenant: string, limit: number, offset: number): Page<GroupView>;
  balance(tenant: string, maxPoints: number): BalanceSeries | null;
  breaches(limit: number, offset: number): Page<GroupView>;
  /** Groups of the tenant before the given one that were debited, latest first. */
  debitsBefore(source: "engine" | "reference", tenant: string, position: number, limit: number): GroupView[];
  places(query: PlaceQuery): Page<PlaceRow>;
  placeCounts(): PlaceCount[];
}

export interface RoundsService {
  list(query: ListQuery): Page<RoundListItem>;
  round(id: string): RoundListItem | null;
  inputs(id: string): RoundInputs | null;
  rows(id: string): RoundRows | null;
  submit(submission: Submission): Promise<SubmitResult>;
  cancel(id: string): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /** Absolute path and download name of one of the round's files; null where there is none. */
  file(
    id: string,
    kind: "contract" | "policy" | "stream" | "report",
  ): { path: string; name: string; type: string } | null;
  share(id: string, expires_at_ms: number | null): { token: string; share: ShareRow } | null;
  shares(id: string): ShareRow[];
  revoke(shareId: string): boolean;
  /** The round behind a link; null when unknown, revoked or expired. Counts the opening. */
  shared(token: string): RoundListItem | null;
  faults(): FaultInfo[];
  scenario(): { contract: string; policy: string; stream: string };
}

/** The one service of this process. */
export declare function roundsService(): Promise<RoundsService>;
