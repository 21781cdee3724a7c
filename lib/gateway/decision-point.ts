import { randomUUID } from "node:crypto";
import type { GateDecision, GateRequest } from "../gate/decision.ts";
import type { Gate, GateEnded, Start } from "../gate/gate.ts";
import type { Route } from "../gate/snapshot.ts";
import type { Answer } from "../gate/store.ts";
import type { OriginalRequest } from "./original-request.ts";
import type { Tallies } from "./tallies.ts";

/** A decision, and the id of its admission where that is provisional. */
export interface Decided {
  readonly decision: GateDecision;
  readonly held: string | null;
}

/** Whether an admission by this route would hold a token or a freebie; where it would not, nothing is held (G4). */
function reserves({ service, rules }: Route, token: string | null): boolean {
  const { auth, price } = service.config;
  return rules.length > 0 || (typeof auth === "object" && price > 0 && token === null);
}

interface Options {
  readonly gate: Gate;
  /** Whether a store may answer later; where none does, decisions are made at once. */
  readonly waits: boolean;
  readonly tallies: Tallies;
  /** Told how long each decision took, in seconds. */
  readonly observe: (seconds: number) => void;
  readonly clock: () => number;
}

/** Where all doors of the server bring their requests: it decides, counts, and knows what it holds. */
export class DecisionPoint {
  readonly #options: Options;
  /** Admissions held here that nobody ended yet, by when they expire. */
  readonly #held = new Map<string, number>();

  constructor(options: Options) {
    this.#options = options;
  }

  get gate(): Gate {
    return this.#options.gate;
  }

  /**
   * Decides one request; `token` is the id of its validated credential, `hold` where it is to be held if it can be;
   * `start`: what the gate was when it came. Rejects or throws only where a store breaks its word.
   */
  decide(original: OriginalRequest, token: string | null, hold: boolean, start: Start): Answer<Decided> {
    const { gate, waits, clock } = this.#options;
    const { host, path, peer, forwardedFor } = original;
    const started = performance.now();
    const { snapshot } = start.live;
    const route = hold ? snapshot.routeOf(host, path) : null;
    const id = route !== null && reserves(route, token) ? randomUUID() : null;
    const { hold_ms } = snapshot.config;
    const request: GateRequest = { host, path, peer, forwardedFor, token, hold: id };
    if (!waits) return this.#decided(gate.decide(request, clock(), start), id, hold_ms, started);
    return gate
      .decideInOrder(request, clock, start)
      .then((decision) => this.#decided(decision, id, hold_ms, started));
  }

  #decided(decision: GateDecision, id: string | null, hold_ms: number, started: number): Decided {
    const { tallies, observe, clock } = this.#options;
    observe((performance.now() - started) / 1000);
    tallies.count(decision);
    const held = decision.verdict === "allowed" && !decision.unchecked ? id : null;
    if (held !== null) this.#held.set(held, clock() + hold_ms);
    return { decision, held };
  }

  /** Ends a held admission (G4). Rejects where the store cannot be reached, or the freebie not be given back. */
  async end(id: string, how: "committed" | "cancelled"): Promise<GateEnded> {
    const { gate, waits, clock } = this.#options;
    this.#held.delete(id);
    return waits ? gate.endLater(id, how, clock()) : gate.end(id, how, clock());
  }

  /** Drops from view what has expired meanwhile: the store has committed it (G4). */
  sweep(): void {
    const now_ms = this.#options.clock();
    for (const [id, due_ms] of this.#held) if (due_ms <= now_ms) this.#held.delete(id);
  }

  /**
   * Commits every admission that is still held here: what a shutdown does with them, as their expiry would (G4). How many
   * it ended: one may have expired just before.
   */
  async endAll(): Promise<number> {
    const ids = [...this.#held.keys()];
    const ends = await Promise.allSettled(ids.map((id) => this.end(id, "committed")));
    return ends.filter((end) => end.status === "fulfilled" && end.value.ended === "committed").length;
  }
}
