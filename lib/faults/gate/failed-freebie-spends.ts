import { MemoryStore } from "../../gate/memory-store.ts";
import type { Ended } from "../../gate/store.ts";
import type { GateFault } from "./gate-fault.ts";

class Keeping extends MemoryStore {
  override end(...[id, how, now_ms, forget]: Parameters<MemoryStore["end"]>): Ended {
    if (how === "committed" || forget !== true) return super.end(id, how, now_ms, forget);
    const kept = super.end(id, "committed", now_ms, forget);
    return kept.ended === "committed" ? { ...kept, ended: "cancelled" } : kept;
  }
}

export const failedFreebieSpends: GateFault = {
  id: "failed-freebie-spends",
  clause: "G7",
  title: "A failed freebie keeps the tokens",
  summary: "Where counting a free request fails, the request is refused and its tokens stay debited.",
  Store: Keeping,
};
