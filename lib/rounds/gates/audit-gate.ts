import type { AuditDifference, AuditResult, LogEvent, LogHeader } from "../../../contract/decision-log.ts";
import { type Auditor, auditor } from "../../reference/gate/audit.ts";
import type { FieldDifference } from "../../reference/gate/log-difference.ts";
import { referenceTools } from "./conform-gate.ts";
import type { LogPlace, LogSource } from "./log-source.ts";
import { readDecisionLog } from "./read-decision-log.ts";
import { SharedStores, type SharedTurn } from "./shared-stores.ts";

export interface AuditOptions {
  /** Most differences that are told in full; all are counted. */
  readonly first: number;
  /** Whether the last file of a log may lack its closing line: it is still being written, or its gate was killed. */
  readonly isOpen: boolean;
}

/**
 * Recomputes the decisions of a log by the reference, from the log alone (G11). Files come in the order in which they
 * were written. Nothing that could not be judged is taken for well: what is missing, cut off, unreadable or begins in
 * the middle of a gate's life is told, and the status is 3 where no difference was found.
 */
export async function auditGate(
  sources: readonly LogSource[],
  { first, isOpen }: AuditOptions,
): Promise<AuditResult> {
  const shared = new SharedStores(isOpen ? Date.now() : null);
  const findings = new Findings(first, shared);
  const follow = (header: LogHeader) => findings.follow(header);
  const { lines, gaps, span, versions, claims, states } = await readDecisionLog(sources, {
    isOpen,
    fromMiddle: false,
    shared,
    follow,
  });
  const { decisions, differences } = findings;
  if (decisions === 0) gaps.push({ file: "the end", line: null, message: "no decision was recomputed" });
  return {
    status: differences > 0 ? 2 : gaps.length > 0 ? 3 : 0,
    decisions,
    lines,
    checks: findings.sum((audit) => audit.checks),
    differences,
    unproven_freebies: findings.sum((audit) => audit.unproven_freebies),
    unreached: findings.sum((audit) => audit.unreached),
    claims,
    states,
    refused: findings.refused,
    stores: shared.told,
    first: findings.first,
    gaps,
    span,
    versions,
  };
}

/** What the reference finds in the logs that it follows. */
class Findings {
  readonly first: AuditDifference[] = [];
  readonly #most: number;
  readonly #shared: SharedStores;
  readonly #audits: Auditor[] = [];
  decisions = 0;
  refused = 0;
  differences = 0;

  constructor(most: number, shared: SharedStores) {
    this.#most = most;
    this.#shared = shared;
  }

  sum(count: (audit: Auditor) => number): number {
    return this.#audits.reduce((sum, audit) => sum + count(audit), 0);
  }

  follow({ freebies, store }: LogHeader): SharedTurn {
    const { storeOf } = this.#shared;
    const audit = auditor(referenceTools(), { freebies, ...(store === "shared" ? { storeOf } : {}) });
    this.#audits.push(audit);
    return {
      learn: (event) => audit.learn(event),
      readFreebie: (event, place) => this.#tell(audit.readFreebie(event), event, place),
      countFreebie: (event, place) => this.#tell(audit.countFreebie(event), event, place),
      returnFreebie: (event, place) => this.#tell(audit.returnFreebie(event), event, place),
      strayed: (event, place, expected) => {
        const { seq, config: logged } = event;
        this.#tell([{ seq, clause: "G8", field: "config", logged, expected }], event, place);
      },
      play: (event, place) => {
        if (event.line === "decision") this.decisions += 1;
        if (event.line === "refused") this.refused += 1;
        this.#tell(audit.play(event), event, place);
      },
      settle: (event, place) => this.#tell(audit.settle(event), event, place),
    };
  }

  #tell(found: FieldDifference[], event: LogEvent, place: LogPlace): void {
    const [service, client] = event.line === "decision" ? [event.service, event.client] : [null, null];
    for (const difference of found) {
      this.differences += 1;
      if (this.first.length < this.#most) this.first.push({ ...place, ...difference, service, client });
    }
  }
}
