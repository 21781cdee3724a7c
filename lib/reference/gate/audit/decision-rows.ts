import type { LogDecision } from "../../../../contract/decision-log.ts";
import {
  type Ask,
  clientOf,
  denied,
  type ExpectedDecision,
  NOTHING,
  type OpenDemand,
  type Pending,
  type Undecided,
} from "./expected-decision.ts";
import { FreebieRow, type FreebieRowParts } from "./freebie-row.ts";
import type { Known, Target } from "./known-snapshots.ts";

/** What each decision is expected to be: the rows of G7, of which the first that applies counts. */
export class DecisionRows {
  readonly #parts: FreebieRowParts;
  readonly #freebieRow: FreebieRow;

  constructor(parts: FreebieRowParts) {
    this.#parts = parts;
    this.#freebieRow = new FreebieRow(parts);
  }

  /** By the snapshot that was live when the request came (G8). A function: it is not over yet. */
  expectedOf(one: LogDecision, ask: Ask): ExpectedDecision | Pending {
    const { known, target } = this.#parts.snapshots.of(one);
    return target === null ? unmatched(known) : this.#byRow(one, ask, known, target);
  }

  /** The first row of G7 that applies. */
  #byRow(
    one: LogDecision,
    ask: Ask,
    { version, config }: Known,
    { service, rules }: NonNullable<Target>,
  ): ExpectedDecision | Pending {
    const { auth, price } = service;
    const byToken = auth !== "off" && one.credential === "valid";
    const free = auth === "off" || price === 0;
    const most = typeof auth === "object" ? auth.freebie : 0;
    const client = clientOf(one, byToken);
    const common: Undecided = {
      ...{ version, service: service.name, client, rules: rules.map(({ id }) => id) },
      ...{ ...NOTHING, freebie: undefined, freebies_used: undefined, ended: "none" },
    };
    if (!byToken && !free && most === 0) return { ...common, verdict: "challenged" };
    if (client === null) return { ...common, verdict: "denied", reason: "client" };
    const demand = { at_ms: one.at, service, rules, client, hold_ms: config.hold_ms };
    if (byToken || free) return this.#limited(one, ask, common, demand);
    return this.#freebieRow.expectedOf(one, { ask, common, demand, most });
  }

  /** Limited by token or by address (G4, G6): no free request is at stake. */
  #limited(one: LogDecision, ask: Ask, common: Undecided, demand: OpenDemand): ExpectedDecision {
    const { stores, word } = this.#parts;
    // Nothing to debit: no bucket, and no call of a shared store; in a gate's own store time comes to now all the same (G4).
    if (demand.rules.length === 0 && stores.isShared) return { ...common, verdict: "allowed" };
    if (one.unreached === true) return { ...common, ...word.outOfReach(demand.service) };
    const admitted = ask().admit({ ...demand, label: one.hold ?? null, freebie: null });
    if (!admitted.ok) return { ...common, ...denied(admitted) };
    const ended = admitted.taken === 0 ? "none" : one.hold === undefined ? "committed" : "held";
    return { ...common, verdict: "allowed", balances: admitted.balances, ended };
  }
}

/** No service serves the request (G1). */
function unmatched({ version }: Known): ExpectedDecision {
  const nobody = { service: null, client: null, rules: [], freebie: undefined, freebies_used: undefined };
  return { version, ...nobody, ...NOTHING, verdict: "unmatched", ended: "none" };
}
