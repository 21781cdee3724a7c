import type { GateConfig } from "../../contract/gate-config.ts";
import type { GateEnd } from "../../contract/gate-reasons.ts";
import type { ClientKey } from "./client.ts";
import type { StoreState } from "./store.ts";

/** A bucket as it is kept: num / den tokens, exactly, at `last_ms`. */
export interface StatedBucket {
  readonly client: ClientKey;
  readonly rule: string;
  readonly num: number | bigint;
  readonly den: number | bigint;
  readonly last_ms: number;
  /** The higher, the later it was used; equal: by the same request (G6). */
  readonly used: number;
}

/** An admission that is outstanding, or has ended and is remembered (G4). */
export interface StatedAdmission {
  readonly id: string;
  readonly service: string;
  readonly client: ClientKey;
  /** The rules that matched. */
  readonly rules: readonly string[];
  /** Of its buckets, those that it holds, and those that are gone with their rule (G8); empty once it has ended. */
  readonly taken: readonly string[];
  readonly gone: readonly string[];
  readonly freebie: boolean;
  readonly hold_ms: number;
  /** When it expires or, ended, is forgotten. */
  readonly due_ms: number;
  readonly was: GateEnd | null;
}

export interface StatedFreebies {
  readonly service: string;
  readonly client: ClientKey;
  readonly count: number;
}

/**
 * Everything that a gate of one process knows, after it did what `seq` numbers and time came to `at`: enough to decide
 * on from there (G11).
 */
export interface Statement extends StoreState {
  readonly seq: number;
  readonly at: number;
  readonly version: number;
  readonly config: GateConfig;
  readonly buckets: readonly { readonly service: string; readonly buckets: readonly StatedBucket[] }[];
  readonly admissions: readonly StatedAdmission[];
  readonly freebies: readonly StatedFreebies[];
}
