import type { GateEvictions, GateLedger } from "../../../contract/gate-case.ts";
import type { GateConfig } from "../../../contract/gate-config.ts";
import type { Shelf } from "./shelf.ts";

/** Free requests of one client in one service (G7). */
export interface FreebieCount {
  count: number;
}

/** Everything a gate knows, written plainly. */
export interface GateState {
  config: GateConfig;
  version: number;
  readonly buckets: Shelf;
  /** Requests so far: their order is the order of use (G6). */
  requests: number;
  readonly ledger: GateLedger;
  readonly evictions: GateEvictions;
}
