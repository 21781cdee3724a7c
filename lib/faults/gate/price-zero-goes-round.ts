import { MemoryStore } from "../../gate/memory-store.ts";
import type { Admit, Demand } from "../../gate/store.ts";
import type { GateFault } from "./gate-fault.ts";

class Bypassed extends MemoryStore {
  override admit(demand: Demand): Admit {
    if (demand.service.config.price > 0) return super.admit(demand);
    return { ok: true, levels: [], unchecked: false };
  }
}

export const priceZeroGoesRound: GateFault = {
  id: "price-zero-goes-round",
  clause: "G7",
  title: "Price zero goes round the limiter",
  summary: "Requests to a service that is free of charge are let through without a look at a bucket.",
  Store: Bypassed,
};
