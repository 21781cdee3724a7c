import type { GateDecision, GateRequest } from "./decision.ts";
import type { DecisionSink, FreebieFate, Moment } from "./decision-sink.ts";
import { addressClient, type Live } from "./plan.ts";
import type { Rule, Snapshot } from "./snapshot.ts";
import type { Counted, Ended, Founded, Placed } from "./store.ts";
import type { Refusal } from "./update.ts";

/** What a decision does not say of itself, and its log line must (G11). */
export interface Circumstances extends Moment {
  readonly began_seq: number;
  readonly freebie: FreebieFate;
  readonly freebies_used: number | null;
  readonly settled: Moment | null;
  readonly freebie_read?: string;
  readonly freebie_counted?: string;
}

/** How often a shared store's counts are told where time has changed nothing. */
const TALLY_MS = 10_000;

/** A moment, with where the call stands that was made then. */
export const placedAt = (moment: Moment, { order }: Placed): Moment =>
  order === undefined ? moment : { ...moment, order };

const ids = (rules: readonly Rule[]): string[] => rules.map(({ id }) => id);

/** Numbers what a gate does, in the order in which it does it, and tells it to a sink where there is one (G11). */
export class Teller {
  readonly #sink: DecisionSink | null;
  #seq = 0;
  #told_ms = 0;

  constructor(sink: DecisionSink | null) {
    this.#sink = sink;
  }

  get isListening(): boolean {
    return this.#sink !== null;
  }

  /** Number of the last thing done. */
  get seq(): number {
    return this.#seq;
  }

  /** The next thing is done now. */
  next(time_ms: number): Moment {
    this.#seq += 1;
    return { seq: this.#seq, time_ms };
  }

  decision(decision: GateDecision, request: GateRequest, snapshot: Snapshot, how: Circumstances): void {
    const { service, client } = decision;
    // Asked only where somebody is listening.
    this.#sink!.append({
      ...how,
      version: decision.version,
      service: service?.name ?? null,
      host: request.host,
      path: request.path,
      client: client ?? (service === null ? null : addressClient(request, service, snapshot)),
      credential: request.token === null ? "none" : "valid",
      rules: ids(decision.rules),
      verdict: decision.verdict,
      unreached: decision.unchecked || decision.reason === "unavailable",
      reason: decision.reason,
      denied_by: ids(decision.lacking),
      retry_after_ms: decision.retry_after_ms,
      levels: decision.levels,
      hold: request.hold,
    });
  }

  /** `ended` null: a shared store gave no answer. `returned`: where it was given the freebie back. */
  end(
    moment: Moment,
    hold: string,
    asked: "committed" | "cancelled",
    ended: Ended | null,
    returned: string | null = null,
  ): void {
    if (ended === null) {
      this.#sink?.end({ ...moment, hold, asked, ended: "unreached", was: null, levels: [] });
      return;
    }
    const was = ended.ended === "already" ? ended.was : null;
    const levels = "levels" in ended ? ended.levels : [];
    const back = returned === null ? {} : { freebie_returned: returned };
    this.#sink?.end({ ...placedAt(moment, ended), ...back, hold, asked, ended: ended.ended, was, levels });
  }

  publish({ version, snapshot }: Live, time_ms: number, placed: Placed = {}): void {
    const moment = placedAt(this.next(time_ms), placed);
    this.#sink?.publish({ ...moment, version, config: snapshot.config });
  }

  refuse(refusal: Refusal, version: number, time_ms: number): void {
    this.#sink?.refuse({ ...refusal, seq: this.#seq, version, time_ms });
  }

  /** A snapshot went live on a shared store alone: what the gate goes by is what it was. */
  founded({ snapshot, version, time_ms, order }: Founded): void {
    const moment = { ...this.next(time_ms), order };
    this.#sink?.publish({ ...moment, version, config: snapshot.config, founded: true });
  }

  /** What a shared store counts: always where time has changed something, else now and then. */
  tally(counted: Counted): void {
    if (!counted.moved && counted.time_ms < this.#told_ms + TALLY_MS) return;
    this.#told_ms = counted.time_ms;
    this.#sink?.tally({ seq: this.#seq, ...counted });
  }
}
