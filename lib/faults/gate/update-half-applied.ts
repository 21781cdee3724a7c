import type { MemoryStore } from "../../gate/memory-store.ts";
import { stageConfig } from "../../gate/update.ts";
import type { GateFault } from "./gate-fault.ts";

type Fields = Record<string, unknown>;

const listOf = (value: unknown, field: string): Fields[] => {
  const list = (value as Fields | null)?.[field];
  return Array.isArray(list) ? list : [];
};

const isWell = (service: Fields): boolean => stageConfig({ services: [service] }).ok;

/** What of a refused configuration is well by itself: services, with those of their rules that are well. */
const wellParts = (config: unknown): Fields[] =>
  listOf(config, "services")
    .map((service) => ({
      ...service,
      rules: listOf(service, "rules").filter((rule) => isWell({ ...service, rules: [rule] })),
    }))
    .filter(isWell);

function applyHalf(store: MemoryStore, config: unknown, now_ms: number): void {
  const staged = stageConfig({ services: wellParts(config) });
  if (staged.ok) store.publish(staged.value.snapshot, now_ms, 0);
}

export const updateHalfApplied: GateFault = {
  id: "update-half-applied",
  clause: "G8",
  title: "A refused update is half applied",
  summary: "What is well of a refused update is put into use, and what is not is left out.",
  refused: applyHalf,
};
