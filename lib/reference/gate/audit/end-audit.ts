import type { LogEnd } from "../../../../contract/decision-log.ts";
import type { FieldDifference } from "../log-difference.ts";
import { balancesOf, type Machine, type MachineEnd } from "../machine.ts";
import { type AuditedStore, machineAt } from "./audited-store.ts";
import type { GateWord } from "./gate-word.ts";
import type { LineComparison } from "./line-comparison.ts";
import type { SharedFreebies } from "./shared-freebies.ts";

interface EndAuditParts {
  readonly comparison: LineComparison;
  readonly shared: SharedFreebies;
  readonly word: GateWord;
}

/** A held admission is committed or cancelled (G4). Null: its shared store was out of reach (G12), as only the gate knew. */
export function auditEnd(one: LogEnd, store: AuditedStore | null, parts: EndAuditParts): FieldDifference[] {
  const { comparison, word } = parts;
  if (store === null) {
    word.unreached += 1;
    return comparison.compare(one, { ended: "unreached", was: null, balances: [] }, one.seq);
  }
  const found = endAt(machineAt(store), one, parts);
  const balances = balancesOf(found);
  const was = "was" in found ? found.was : null;
  return comparison.compare(one, { ended: found.ended, was, balances }, one.seq);
}

/** An end; the free request of a shared store is given back at a place of its own, or it could not be (G7, G12). */
function endAt(machine: Machine, one: LogEnd, { shared, word }: EndAuditParts): MachineEnd {
  if (!shared.isNumbered) return machine.end(one.hold, one.asked, one.at);
  const found = machine.settle(one.hold, one.asked, one.at);
  if (found.ended !== "cancelled" || found.freebie === null) return found;
  if (one.freebie_returned === undefined) word.unreached += 1;
  else shared.expectReturn(one.seq, found.freebie);
  return found;
}
