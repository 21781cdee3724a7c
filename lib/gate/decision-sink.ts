import type { GateConfig } from "../../contract/gate-config.ts";
import type { GateEnd, GateReason } from "../../contract/gate-reasons.ts";
import type { Level } from "./bucket.ts";
import type { ClientKey } from "./client.ts";
import type { GateDecision } from "./decision.ts";
import type { Counted } from "./store.ts";
import type { Refusal } from "./update.ts";

/**
 * A point in the gate's life: `seq` counts what it did to its store and its snapshots, from 1, without a gap; `time_ms`
 * is the wall clock of then, whole milliseconds. What waited may be told after what was done later.
 */
export interface Moment {
  readonly seq: number;
  readonly time_ms: number;
  /** Where the call of a shared store stands; absent: there was none, or no answer to it. */
  readonly order?: string;
}

/** One decision as the gate made it (G11): enough to decide it again. The moment is that of looking at the buckets. */
export interface DecisionEntry extends Moment {
  /** `seq` of the last thing done when the request came: the snapshot of then decides (G8). */
  readonly began_seq: number;
  /** Version of the snapshot that decided (G8). */
  readonly version: number;
  /** Null: unmatched. */
  readonly service: string | null;
  /** As it came; empty where there was none. */
  readonly host: string;
  /** As it came, query included. */
  readonly path: string;
  /**
   * As it is: whoever writes it down hashes it with a key (G11). That of the address where no token was asked for; null
   * where that is none, or where no service serves the request.
   */
  readonly client: ClientKey | null;
  /** Whether a credential was validated (G7); what was presented and failed counts as none. */
  readonly credential: "valid" | "none";
  /** Ids of the rules that matched, in order. */
  readonly rules: readonly string[];
  readonly verdict: GateDecision["verdict"];
  /** Whether the shared store was asked and could not be reached (G12). */
  readonly unreached: boolean;
  readonly reason: GateReason | null;
  /** Ids of the rules that lacked a token. */
  readonly denied_by: readonly string[];
  readonly retry_after_ms: number | null;
  /** Of the rules that have a bucket, after the decision. */
  readonly levels: readonly Level[];
  /** What became of the freebie (G7). */
  readonly freebie: FreebieFate;
  /** Free requests that had been counted before; null: nobody asked, or the store could not be read. */
  readonly freebies_used: number | null;
  /** Where a shared store was asked for it, and where it was counted, or was not; absent: nowhere that has an order. */
  readonly freebie_read?: string;
  readonly freebie_counted?: string;
  /** Id under which the admission was to stay provisional, if there was one; null: it was committed at once. */
  readonly hold: string | null;
  /** Where the freebie was counted or failed, and the admission ended with it; null: there was no such moment. */
  readonly settled: Moment | null;
}

/**
 * `none`: none was asked for; `counted`; `exhausted`: no free request was left, so the request was challenged;
 * `unspent`: denied, so none was counted; `unread`: the store could not be read; `uncounted`: counting failed, and the
 * admission was cancelled; `taken`: another process took the last one meanwhile, the admission was cancelled and the
 * request challenged.
 */
export type FreebieFate = "none" | "counted" | "exhausted" | "unspent" | "unread" | "uncounted" | "taken";

/** How a held admission was asked to end, and what came of it (G4). Expiry is not told: it follows from time. */
export interface EndEntry extends Moment {
  readonly hold: string;
  readonly asked: "committed" | "cancelled";
  /** Equal to `asked` where it ended now; `unreached`: the shared store gave no answer. */
  readonly ended: "committed" | "cancelled" | "already" | "unknown" | "unreached";
  /** How it had ended before; null unless `already`. */
  readonly was: GateEnd | null;
  /** Where a shared store was given the freebie back; absent: nowhere that has an order. */
  readonly freebie_returned?: string;
  /** Of the admission's rules that have a bucket, after the end; empty where nothing ended. */
  readonly levels: readonly Level[];
}

/** A snapshot that went live (G8), the first one included. At time 0: the first, and one that another process published. */
export interface PublishEntry extends Moment {
  readonly version: number;
  readonly config: GateConfig;
  /** It went live on the shared store alone; what the gate goes by is what it was. */
  readonly founded?: true;
}

/** What a shared store counts once time has come to `time_ms` (G4, G6); `seq` is that of the last thing done before. */
export interface TallyEntry extends Counted {
  readonly seq: number;
}

/** An update that was refused, or failed, after the gate did what `seq` numbers (G8): nothing else has changed. */
export interface RefusalEntry extends Refusal {
  readonly seq: number;
  readonly time_ms: number;
  /** The version that stayed live. */
  readonly version: number;
}

/** Where decisions are told (G11). No call may throw or wait: a decision does not depend on its being written down. */
export interface DecisionSink {
  append(entry: DecisionEntry): void;
  end(entry: EndEntry): void;
  publish(entry: PublishEntry): void;
  refuse(entry: RefusalEntry): void;
  tally(entry: TallyEntry): void;
}
