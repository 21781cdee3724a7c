import { MemoryStore } from "../../gate/memory-store.ts";
import type { Admit, Demand } from "../../gate/store.ts";
import type { GateFault } from "./gate-fault.ts";

class Forgiving extends MemoryStore {
  /** Absent while the constructor of the store runs. */
  #due: Map<string, number> | undefined = new Map();

  override admit(demand: Demand): Admit {
    const admit = super.admit(demand);
    if (admit.ok && demand.hold !== null) this.#due?.set(demand.hold, demand.now_ms + demand.hold_ms);
    return admit;
  }

  override moveOn(now_ms: number): void {
    for (const [id, due_ms] of this.#due ?? []) {
      if (due_ms > now_ms) continue;
      this.#due?.delete(id);
      super.end(id, "cancelled", due_ms - 1);
    }
    super.moveOn(now_ms);
  }
}

export const expiryGivesBack: GateFault = {
  id: "expiry-gives-back",
  clause: "G4",
  title: "An expired admission gives back",
  summary: "Who never ends an admission gets its tokens back when it expires.",
  Store: Forgiving,
};
