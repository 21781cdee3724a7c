import type { GateService } from "../../../../contract/gate-config.ts";
import type { ExpectedDecision } from "./expected-decision.ts";

/** What only the gate knew, and what is taken on its word: counted, so that nobody takes it for proven. */
export class GateWord {
  /** Decisions that rest on what only the gate knew of freebies (G7). */
  unproven_freebies = 0;
  /** What rests on a shared store's having been out of reach (G12). */
  unreached = 0;

  /** What a service does where the store cannot be asked (G12); that it could not is a fact that only the gate knew. */
  outOfReach({ on_unavailable }: GateService): Pick<ExpectedDecision, "verdict" | "reason"> {
    this.unreached += 1;
    return on_unavailable === "allow"
      ? { verdict: "allowed", reason: null }
      : { verdict: "denied", reason: "unavailable" };
  }
}
