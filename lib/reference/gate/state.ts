import type { GateEvictions, GateLedger } from "../../../contract/gate-case.ts";
import type { GateConfig } from "../../../contract/gate-config.ts";
import type { Bucket } from "./bucket.ts";

/** Everything a gate knows, written plainly: lists that are searched from the front. */
export interface GateState {
  config: GateConfig;
  version: number;
  buckets: Bucket[];
  /** Requests so far: their order is the order of use (G6). */
  requests: number;
  ledger: GateLedger;
  evictions: GateEvictions;
  freebies: { service: string; client: string; count: number }[];
}
