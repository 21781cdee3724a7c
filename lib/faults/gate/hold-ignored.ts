import { MemoryStore } from "../../gate/memory-store.ts";
import type { Admit, Demand } from "../../gate/store.ts";
import type { GateFault } from "./gate-fault.ts";

class Committing extends MemoryStore {
  override admit(demand: Demand): Admit {
    return super.admit({ ...demand, hold: null });
  }
}

export const holdIgnored: GateFault = {
  id: "hold-ignored",
  clause: "G4",
  title: "A held admission is committed at once",
  summary:
    "What was to stay provisional is committed when it is made, and a cancel finds nothing to give back.",
  Store: Committing,
};
