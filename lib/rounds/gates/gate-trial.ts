import type { LogLine } from "../../../contract/decision-log.ts";
import type { GateRequestStep, GateStep } from "../../../contract/gate-case.ts";
import { LogText } from "../../decision-log/log-text.ts";
import { type GateFault, gateParts } from "../../faults/gate/gate-fault.ts";
import { MemoryFreebies } from "../../gate/freebies.ts";
import { Gate } from "../../gate/gate.ts";
import { statementOf } from "../../gate/statement.ts";
import { stageConfig } from "../../gate/update.ts";

/** Freebies of which a step can make the next count fail (G13). */
class FailingFreebies extends MemoryFreebies {
  fails = false;
  override count(...args: Parameters<MemoryFreebies["count"]>): boolean {
    if (this.fails) throw new Error("the freebie was not counted");
    return super.count(...args);
  }
}

/** Plays steps as `playInFiles` does, and gives the lines of a log of one file. */
export const playLogged = (
  config: unknown,
  steps: readonly GateStep[],
  fault: GateFault | null,
): readonly LogLine[] => playInFiles(config, steps, fault, Number.POSITIVE_INFINITY).flat();

/**
 * Plays steps of a case (G13) on a gate, honest or with a fault, and gives what its decision log says (G11): without the
 * closing lines, with a tally after every update and at the end, and another file after every `turn` steps. Throws where
 * the first configuration is refused.
 */
export function playInFiles(
  config: unknown,
  steps: readonly GateStep[],
  fault: GateFault | null,
  turn: number,
): readonly (readonly LogLine[])[] {
  const staged = stageConfig(config);
  if (!staged.ok) throw new Error("the configuration of the case is refused (G1)");
  const { snapshot } = staged.value;
  const failing = new FailingFreebies();
  const parts = gateParts(fault, snapshot, failing);
  const log = new LogText();
  const gate = new Gate(staged.value, parts.store, parts.freebies, 1, log);

  function request(step: GateRequestStep): void {
    failing.fails = step.freebie_fails === true;
    const { path, host = "", ip: peer, token = null, at } = step;
    gate.decide({ host, path, peer, token, hold: step.hold === true ? step.as! : null }, at);
  }

  function tally(at: number): void {
    parts.store.moveOn(at);
    const entries = gate.config.services.map(({ name }): [string, number] => [
      name,
      parts.store.sizeOf(name),
    ]);
    log.says({ seq: gate.seq, at, ...parts.store.state(), entries });
  }

  for (const [index, step] of steps.entries()) {
    if (index > 0 && index % turn === 0) {
      const at = steps[index - 1]!.at;
      log.turn(parts.stated(statementOf(gate, parts.store, failing, at, Number.POSITIVE_INFINITY)!));
    }
    if (step.op === "request") request(step);
    else if (step.op === "publish") {
      if (!gate.update(step.config, step.at).published) parts.refused(step.config, step.at);
      tally(step.at);
    } else gate.end(step.of, step.op === "commit" ? "committed" : "cancelled", step.at);
  }
  tally(steps.at(-1)?.at ?? 0);
  return log.files;
}
