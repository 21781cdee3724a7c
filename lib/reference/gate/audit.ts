import type { LogDecision, LogEnd, LogEvent, LogHeader, LogPublish } from "../../../contract/decision-log.ts";
import type { GateConfig } from "../../../contract/gate-config.ts";
import { AuditedStores, type StoreOf } from "./audit/audited-store.ts";
import { type Decided, DecisionAudit } from "./audit/decision-audit.ts";
import { auditEnd } from "./audit/end-audit.ts";
import { GateWord } from "./audit/gate-word.ts";
import { KnownSnapshots } from "./audit/known-snapshots.ts";
import { LineComparison } from "./audit/line-comparison.ts";
import { auditPublish } from "./audit/publish-audit.ts";
import { auditRefusal } from "./audit/refusal-audit.ts";
import { SharedFreebies } from "./audit/shared-freebies.ts";
import { auditState } from "./audit/state-audit.ts";
import { auditTally } from "./audit/tally-audit.ts";
import type { FieldDifference } from "./log-difference.ts";
import type { ReplayTools } from "./replay.ts";

export interface Auditor {
  /** The gate goes by this snapshot from now on; `play` does it too, where that is not told before. */
  learn(event: LogPublish): void;
  /** Recomputes what happened next; events come in the order in which the store was asked. Differences, each with its clause. */
  play(event: LogEvent): FieldDifference[];
  /** Free requests of a shared store (G7, G12): one is asked after, counted or not, or given back; each has its own place. */
  readFreebie(event: LogDecision): FieldDifference[];
  countFreebie(event: LogDecision): FieldDifference[];
  returnFreebie(event: LogEnd): FieldDifference[];
  /** What a decision comes to whose freebie was counted, or was not, at a time after others (`settled`). */
  settle(event: LogDecision): FieldDifference[];
  /** Comparisons made so far. */
  readonly checks: number;
  /** Decisions that rest on what only the gate knew of freebies. */
  readonly unproven_freebies: number;
  /** What rests on a shared store's having been out of reach, which only the gate knew. */
  readonly unreached: number;
}

/** How a log is recomputed. */
export interface AuditorOptions {
  readonly freebies: LogHeader["freebies"];
  /** Where processes share a store (G12). Absent: the gate has a store of its own. */
  readonly storeOf?: StoreOf;
  /** A configuration under which everything is decided, whatever was live (G8). */
  readonly instead?: GateConfig;
  /** Told what each decision comes to. */
  readonly decided?: Decided;
}

/** Recomputes a gate's decisions from its log alone (G11): the snapshots, the requests, and how they ended. */
export function auditor(tools: ReplayTools, options: AuditorOptions): Auditor {
  const { freebies, instead, decided, storeOf } = options;
  const stores = new AuditedStores(storeOf);
  const snapshots = new KnownSnapshots(tools, instead);
  const isNumbered = freebies === "shared" && instead === undefined;
  const shared = new SharedFreebies({ snapshots, stores, isNumbered });
  const comparison = new LineComparison();
  const word = new GateWord();
  const parts = { freebies, snapshots, stores, shared, word, comparison, decided };
  const decisions = new DecisionAudit(parts);

  function play(event: LogEvent): FieldDifference[] {
    const store = stores.placeOf(event.order ?? (event.line === "tally" ? event.after : undefined));
    if (event.line === "publish") return auditPublish(event, store, parts);
    if (event.line === "decision") return decisions.play(event, store);
    if (event.line === "state") return auditState(event, stores.own, parts);
    if (event.line === "refused") return auditRefusal(event, parts);
    return event.line === "end" ? auditEnd(event, store, parts) : auditTally(event, store, parts);
  }

  return {
    learn: (event) => snapshots.learn(event),
    play,
    readFreebie: (event) => shared.read(event),
    countFreebie: (event) => decisions.countFreebie(event),
    returnFreebie: (event) => shared.giveBack(event),
    settle: (event) => decisions.settle(event),
    get checks() {
      return comparison.checks;
    },
    get unproven_freebies() {
      return word.unproven_freebies;
    },
    get unreached() {
      return word.unreached;
    },
  };
}
