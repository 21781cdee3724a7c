import type { GateReason } from "../../contract/gate-reasons.ts";
import type { Level } from "./bucket.ts";
import type { ClientKey } from "./client.ts";
import type { Rule, Service } from "./snapshot.ts";

/** A request as the gate sees it. */
export interface GateRequest {
  /** The host as it came, with or without port; empty where there is none. */
  readonly host: string;
  /** The path as it came, query included. */
  readonly path: string;
  /** Address of the peer. */
  readonly peer: string;
  /** `X-Forwarded-For` as it came; read only where the peer is a trusted proxy (G3). */
  readonly forwardedFor?: string | undefined;
  /** Id of a credential that was **validated**; null: none, or an invalid one (G3, G7). */
  readonly token: string | null;
  /** Id under which the admission is to stay provisional; null: it is committed at once (G4). */
  readonly hold: string | null;
}

/** What the gate decided. */
export interface GateDecision {
  readonly verdict: "allowed" | "denied" | "challenged" | "error" | "unmatched";
  /** Version of the snapshot that the request started with (G8). */
  readonly version: number;
  /** Null: unmatched. */
  readonly service: Service | null;
  /** In normal form (G2); empty where unmatched. */
  readonly path: string;
  /** The rules that match, in order. */
  readonly rules: readonly Rule[];
  /** Null where unmatched or challenged, or where the peer is no address. */
  readonly client: ClientKey | null;
  /** Why it was denied; null: it was not. */
  readonly reason: GateReason | null;
  readonly lacking: readonly Rule[];
  /** Whole milliseconds; null: no finite wait. */
  readonly retry_after_ms: number | null;
  /** Of the rules that have a bucket, after the decision. */
  readonly levels: readonly Level[];
  /** Whether it was allowed without a look at a bucket, since the store could not be reached (`on_unavailable`, G12). */
  readonly unchecked: boolean;
}

/** What a decision without a look at a bucket has none of. */
export const NOTHING = {
  client: null,
  reason: null,
  lacking: [],
  retry_after_ms: null,
  levels: [],
  unchecked: false,
} as const;
