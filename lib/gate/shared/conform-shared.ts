import { randomUUID } from "node:crypto";
import type { GateCaseResult, GateOutcome, GateStep } from "../../../contract/gate-case.ts";
import { FailingFreebies, type PlayedGate, playStep, playSteps, stagedCase } from "../conform.ts";
import { Gate } from "../gate.ts";
import { sumOf } from "../ledger.ts";
import { runLater } from "../steps.ts";
import { Connection } from "./connection.ts";
import { joinSharedStore } from "./open-shared-store.ts";
import type { SharedStore } from "./shared-store.ts";

/** A case may be slow on a busy machine; what it finds does not depend on it. */
const TIMEOUT_MS = 10_000;

/** A gate on a shared store that plays steps of a case one by one. */
export interface SharedPlay {
  step(step: GateStep): Promise<GateOutcome>;
  readonly store: SharedStore;
  /** Removes what the case left on the server. */
  clear(): Promise<void>;
}

/** A server on which cases are played, each under keys of its own. */
export class SharedPlayground {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Rejects with a `StoreUnavailable` where the server cannot be reached. */
  static async open(url: string): Promise<SharedPlayground> {
    return new SharedPlayground(await Connection.open(url, TIMEOUT_MS));
  }

  close(): void {
    this.#connection.close();
  }

  async #gate(config: unknown, start_ms: number): Promise<PlayedGate & { store: SharedStore; key: string }> {
    const staged = stagedCase(config);
    const key = `{case-${randomUUID()}}`;
    const place = { connection: this.#connection, key };
    const store = await joinSharedStore(place, staged.snapshot, start_ms);
    const freebies = new FailingFreebies(store.freebies);
    const gate = new Gate(staged, store, freebies, store.version);
    return {
      store,
      key,
      freebies,
      decide: (request, at_ms) => gate.decideInOrder(request, () => at_ms),
      end: (id, how, at_ms) => gate.endLater(id, how, at_ms),
      update: (value, at_ms) => gate.updateLater(value, at_ms),
      moveOn: (at_ms) => store.counts(at_ms),
      state: async (at_ms) => sumOf((await store.counts(at_ms)).values()),
    };
  }

  /** Plays steps one by one, from a time on. Rejects where the configuration is refused (G1). */
  async play(config: unknown, start_ms = 0): Promise<SharedPlay> {
    const gate = await this.#gate(config, start_ms);
    return {
      store: gate.store,
      step: (step) => runLater(playStep(gate, step)),
      clear: () => this.#clear(gate.key),
    };
  }

  /** Plays a case on the shared store (G13). */
  async playCase(one: { config: unknown; steps: readonly GateStep[] }): Promise<GateCaseResult> {
    const gate = await this.#gate(one.config, one.steps[0]?.at ?? 0);
    try {
      return await runLater(playSteps(gate, one.steps));
    } finally {
      await this.#clear(gate.key);
    }
  }

  async #clear(key: string): Promise<void> {
    let cursor = "0";
    do {
      const page = await this.#connection.call("SCAN", cursor, "MATCH", `${key}:*`, "COUNT", "1000");
      const [next, keys] = page as [string, string[]];
      if (keys.length > 0) await this.#connection.call("UNLINK", ...keys);
      cursor = next;
    } while (cursor !== "0");
  }
}
