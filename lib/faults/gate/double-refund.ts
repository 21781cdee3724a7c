import type { Bucket } from "../../gate/bucket.ts";
import { MemoryStore } from "../../gate/memory-store.ts";
import type { Admit, Demand, Ended } from "../../gate/store.ts";
import type { GateFault } from "./gate-fault.ts";
import { presentBuckets } from "./tamper-bucket.ts";

class Refunding extends MemoryStore {
  readonly #held = new Map<string, { demand: Demand; buckets: Bucket[] }>();

  override admit(demand: Demand): Admit {
    const admit = super.admit(demand);
    const living = this.bucketsOf(demand.service.name);
    if (admit.ok && demand.hold !== null && living !== undefined)
      this.#held.set(demand.hold, {
        demand,
        buckets: presentBuckets(living, demand.rules, demand.client),
      });
    return admit;
  }

  override end(...args: Parameters<MemoryStore["end"]>): Ended {
    const ended = super.end(...args);
    const [id, how, now_ms] = args;
    const held = this.#held.get(id);
    if (how === "cancelled" && ended.ended === "already" && held !== undefined)
      this.bucketsOf(held.demand.service.name)?.giveBack(held.buckets, now_ms);
    return ended;
  }
}

export const doubleRefund: GateFault = {
  id: "double-refund",
  clause: "G4",
  title: "A second cancel gives back again",
  summary: "An admission that was cancelled gives its tokens back once more for each further cancel.",
  Store: Refunding,
};
