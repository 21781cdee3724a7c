import type { GateCaseResult, GateOutcome, GateStep } from "../../contract/gate-case.ts";
import { FailingFreebies, type PlayedGate, playStep, playSteps, stagedCase } from "./conform.ts";
import { MemoryFreebies } from "./freebies.ts";
import { Gate } from "./gate.ts";
import { MemoryStore } from "./memory-store.ts";
import { runNow } from "./steps.ts";

interface InMemory extends PlayedGate {
  readonly store: MemoryStore;
}

function inMemory(config: unknown): InMemory {
  const staged = stagedCase(config);
  const store = new MemoryStore(staged.snapshot);
  const freebies = new FailingFreebies(new MemoryFreebies());
  const gate = new Gate(staged, store, freebies);
  return {
    store,
    freebies,
    decide: (request, at_ms) => gate.decide(request, at_ms),
    end: (id, how, at_ms) => gate.end(id, how, at_ms),
    update: (value, at_ms) => gate.update(value, at_ms),
    moveOn: (at_ms) => store.moveOn(at_ms),
    state: () => store.state(),
  };
}

export interface MemoryPlay {
  step(step: GateStep): GateOutcome;
  readonly store: MemoryStore;
}

/** A gate in memory that plays steps of a case one by one. Throws where the configuration is refused (G1). */
export function playInMemory(config: unknown): MemoryPlay {
  const gate = inMemory(config);
  return { store: gate.store, step: (step) => runNow(playStep(gate, step)) };
}

/** Plays a case on the memory store (G13). */
export function playCaseInMemory(one: { config: unknown; steps: readonly GateStep[] }): GateCaseResult {
  return runNow(playSteps(inMemory(one.config), one.steps));
}
