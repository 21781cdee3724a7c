import type { GateEvictions, GateLedger } from "../../contract/gate-case.ts";
import type { GateEnd } from "../../contract/gate-reasons.ts";
import type { Level } from "./bucket.ts";
import type { ClientKey } from "./client.ts";
import type { Rule, Service, Snapshot } from "./snapshot.ts";

/** What a store answers at once, or later where it is elsewhere. */
export type Answer<T> = T | Promise<T>;

/**
 * Where a call stands among those of all processes that share a store (G12): the life of what the server holds, a colon,
 * and a number that the server counts from 1. Absent: nobody shares the store, or it was not asked.
 */
export interface Placed {
  readonly order?: string;
}

/** One request that rules may limit. `rules` are those of `service` that match, in order. */
export interface Demand {
  readonly service: Service;
  readonly rules: readonly Rule[];
  readonly client: ClientKey;
  readonly now_ms: number;
  /** Id under which the admission stays provisional; null: it is committed at once. */
  readonly hold: string | null;
  readonly hold_ms: number;
  /** Whether the admission is to hold a freebie, which its cancel gives back (G7). */
  readonly freebie: boolean;
}

/** What a demand came to (G4, G6). `levels` are those of the rules that have a bucket, after the decision. */
export type Admit = Placed &
  (
    | {
        readonly ok: true;
        readonly levels: Level[];
        /** Allowed without a look at a bucket, since the store could not be reached (`on_unavailable`, G12). */
        readonly unchecked: boolean;
      }
    | {
        readonly ok: false;
        readonly reason: "rate" | "capacity" | "unavailable";
        readonly lacking: readonly Rule[];
        readonly retry_after_ms: number | null;
        readonly levels: Level[];
      }
  );

/** How an end came out (G4): the end itself, or that there was one already, or that nobody knows the id. */
export type Ended = Placed &
  (
    | {
        readonly ended: "committed" | "cancelled";
        readonly levels: Level[];
        /** A freebie to give back (G7). */
        readonly freebie: { readonly service: string; readonly client: ClientKey } | null;
      }
    | { readonly ended: "already"; readonly was: GateEnd }
    | { readonly ended: "unknown" }
  );

/** Whether a snapshot went live, and the version that is live now (G8). */
export interface Publishing extends Placed {
  readonly published: boolean;
  readonly version: number;
}

/** A snapshot that a shared store has made live by itself: at its beginning, or again, since the server had lost it. */
export interface Founded {
  readonly snapshot: Snapshot;
  readonly version: number;
  readonly time_ms: number;
  readonly order: string;
}

/** What time, come to `time_ms`, has left in a shared store. */
export interface Counted {
  readonly time_ms: number;
  readonly order: string;
  /** Whether something expired or was forgotten by it: then the call has the number `order`, else it came after that. */
  readonly moved: boolean;
  /** By service, those long gone included. */
  readonly counts: ReadonlyMap<string, StoreState & { readonly buckets: number }>;
}

/** Who is told what a shared store does without being asked by its gate for a decision. */
export interface StoreObserver {
  founded(founded: Founded): void;
  counted(counted: Counted): void;
}

/** Where buckets and admissions live: in memory, or shared by processes (G12). */
export interface Store<Later extends boolean> {
  /** Takes a token from each rule's bucket, or from none (G4, G6). Throws where `hold` is the id of another admission. */
  admit(demand: Demand): Later extends true ? Promise<Admit> : Admit;
  /** Ends an admission once (G4); with `forget` it is not remembered, since nobody else knows its id. */
  end(
    id: string,
    how: "committed" | "cancelled",
    now_ms: number,
    forget?: boolean,
  ): Later extends true ? Promise<Ended> : Ended;
  /** Goes over from the version `from` to a snapshot, in one step, or says which version is live instead (G8). */
  publish(
    snapshot: Snapshot,
    now_ms: number,
    from: number,
  ): Later extends true ? Promise<Publishing> : Publishing;
  /** Names who is told what happens from now on, and what of it has happened before (G11). */
  observe?(observer: StoreObserver): void;
}

/** Counts of a store, at a time. */
export interface StoreState {
  ledger: GateLedger;
  evictions: GateEvictions;
}
