import type { GateEnd, GateReason } from "../../contract/gate-case.ts";
import type { GateConfig } from "../../contract/gate-config.ts";
import type { ClientKey } from "./client.ts";
import type { GateDecision } from "./decision.ts";

/**
 * One decision as the gate made it (G11): enough to decide it again. `seq` counts decisions, ends and publishes in the
 * order in which the gate turned to its store; entries may be appended in another order where something waits.
 */
export interface DecisionEntry {
  readonly seq: number;
  /** Wall clock, whole milliseconds: the time at which the buckets were looked at. */
  readonly time_ms: number;
  /** Version of the snapshot that decided (G8). */
  readonly version: number;
  /** Null: unmatched. */
  readonly service: string | null;
  /** As it came, in lower case and without port; for a dry run under another configuration. */
  readonly host: string;
  /** In normal form (G2); empty where unmatched. */
  readonly path: string;
  /** As it is: whoever writes it down hashes it with a key (G11). Null: none was found, or none was looked for. */
  readonly client: ClientKey | null;
  /** Whether a credential was validated (G7); what was presented and failed counts as none. */
  readonly credential: "valid" | "none";
  /** Ids of the rules that matched, in order. */
  readonly rules: readonly string[];
  readonly verdict: GateDecision["verdict"];
  readonly reason: GateReason | null;
  /** Ids of the rules that lacked a token. */
  readonly denied_by: readonly string[];
  readonly retry_after_ms: number | null;
  /** What became of the freebie (G7). */
  readonly freebie: FreebieFate;
  /** Id under which the admission is provisional; null: committed at once, or nothing was admitted. */
  readonly hold: string | null;
}

/**
 * `none`: none was asked for; `counted`; `exhausted`: no free request was left, so the request was challenged;
 * `unspent`: denied, so none was counted; `unread`: the store could not be read; `uncounted`: counting failed, and the
 * admission was cancelled.
 */
export type FreebieFate = "none" | "counted" | "exhausted" | "unspent" | "unread" | "uncounted";

/** How a held admission was asked to end, and what came of it (G4). Expiry is not told: it follows from time. */
export interface EndEntry {
  readonly seq: number;
  readonly time_ms: number;
  readonly hold: string;
  readonly asked: "committed" | "cancelled";
  /** Equal to `asked` where it ended now. */
  readonly ended: "committed" | "cancelled" | "already" | "unknown";
  /** How it had ended before; null unless `already`. */
  readonly was: GateEnd | null;
}

/** A snapshot that went live (G8), the first one included. */
export interface PublishEntry {
  readonly seq: number;
  readonly time_ms: number;
  readonly version: number;
  readonly config: GateConfig;
}

/** Where decisions are told (G11). No call may throw or wait: a decision does not depend on its being written down. */
export interface DecisionSink {
  append(entry: DecisionEntry): void;
  end(entry: EndEntry): void;
  publish(entry: PublishEntry): void;
}
