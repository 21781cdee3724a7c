import type { Store } from "../../store/open-store.ts";
import { askComparison, type ComparisonInputs } from "./comparisons.ts";
import { askFaults, type FaultStudyInputs } from "./fault-studies.ts";
import { askStartStates, type StartStateInputs } from "./start-state-studies.ts";
import type { AskStudy } from "./study-work.ts";
import { askWitness, type WitnessInputs } from "./witness-studies.ts";

/** How the stored inputs of every kind of study become what its process is asked. */
export const askStudy =
  (store: Store): AskStudy =>
  (kind, inputs) => {
    const value: unknown = JSON.parse(inputs);
    if (kind === "faults") return askFaults(store, value as FaultStudyInputs);
    if (kind === "witness") return askWitness(store, value as WitnessInputs);
    if (kind === "start-states") return askStartStates(store, value as StartStateInputs);
    return askComparison(store, value as ComparisonInputs);
  };
