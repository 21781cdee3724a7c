import { readdir, readFile } from "node:fs/promises";
import { type GateCase, gateCaseSchema } from "../../../contract/gate-case.ts";
import { closedText } from "../../decision-log/log-text.ts";
import { GATE_FAULTS } from "../../faults/gate/catalog.ts";
import type { GateFault } from "../../faults/gate/gate-fault.ts";
import type { NegativeResult } from "../trials/negative-run.ts";
import { auditGate } from "./audit-gate.ts";
import { playInFiles } from "./gate-trial.ts";

const CASES = new URL("../../../contract/gate-cases/", import.meta.url);

async function gateCases(): Promise<GateCase[]> {
  const names = (await readdir(CASES)).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(
    names.map(async (name) => gateCaseSchema.parse(JSON.parse(await readFile(new URL(name, CASES), "utf8")))),
  );
}

/** Steps after which another file begins: what the gate states there is judged too. */
const TURN = 5;

function auditOf({ name, config, steps }: GateCase, fault: GateFault | null) {
  const sources = playInFiles(config, steps, fault, TURN).map((lines) => ({
    name,
    async *blocks() {
      yield Buffer.from(closedText(lines));
    },
  }));
  return auditGate(sources, { first: 1, isOpen: false });
}

/** Where the audit of a gate with the fault finds a difference, and that of an honest gate over the same steps none. */
async function caughtOn(fault: GateFault, one: GateCase): Promise<string | null> {
  const { differences, first } = await auditOf(one, fault);
  const [difference] = first;
  if (difference === undefined) return null;
  const { field, logged, expected, clause } = difference;
  const told = `${field} logged ${JSON.stringify(logged)}, expected ${JSON.stringify(expected)} (${clause})`;
  return `audit on ${one.name}: ${differences} differences, first ${told}`;
}

/**
 * The negative run of the gate (G11): the audit must be clean over the steps of every case on an honest gate, and find
 * each known fault on some of them. A miss is a failure, and so is an alarm without a fault.
 */
export async function negativeGateRun(faults: readonly GateFault[] = GATE_FAULTS): Promise<NegativeResult[]> {
  const cases = await gateCases();
  const results: NegativeResult[] = [];
  for (const one of cases) {
    const { status, differences, gaps, decisions } = await auditOf(one, null);
    // A case without a request leaves nothing to judge; it must not be green.
    if (differences === 0 && status === (decisions > 0 ? 0 : 3)) continue;
    const detail = `the audit of an honest gate on ${one.name}: ${differences} differences, ${gaps.length} gaps`;
    results.push({ id: "none", clause: "G11", caught: false, detail });
  }
  for (const fault of faults) results.push(await tryFault(fault, cases));
  return results;
}

async function tryFault(fault: GateFault, cases: readonly GateCase[]): Promise<NegativeResult> {
  const { id, clause } = fault;
  for (const one of cases) {
    const found = await caughtOn(fault, one);
    if (found !== null) return { id, clause, caught: true, detail: found };
  }
  const detail = "MISS: it changed nothing on any case, or the audit found nothing";
  return { id, clause, caught: false, detail };
}
