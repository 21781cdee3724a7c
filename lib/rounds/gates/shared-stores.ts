import { isDeepStrictEqual } from "node:util";
import type {
  AuditGap,
  AuditResult,
  LogDecision,
  LogEnd,
  LogEvent,
  LogHeader,
  LogPublish,
} from "../../../contract/decision-log.ts";
import type { AuditedStore } from "../../reference/gate/audit/audited-store.ts";
import { NumberedSteps, type NumberRange } from "../../reference/gate/numbered-steps.ts";
import type { Turn } from "../../reference/gate/sequence.ts";
import type { LogPlace } from "./log-source.ts";

/** Who follows a log of a shared store: told of a snapshot by which its gate goes before the store's turn comes to it. */
export interface SharedTurn extends Turn<LogPlace> {
  learn(event: LogPublish): void;
  /** A free request was asked after, counted or not, or given back (G7). */
  readFreebie(event: LogDecision, place: LogPlace): void;
  countFreebie(event: LogDecision, place: LogPlace): void;
  returnFreebie(event: LogEnd, place: LogPlace): void;
  /** A gate went by a snapshot that another one had published otherwise. */
  strayed(event: LogPublish, place: LogPlace, published: unknown): void;
}

/** A snapshot that a gate heard of. */
interface Followed {
  readonly event: LogPublish;
  readonly place: LogPlace;
  readonly turn: SharedTurn;
}

/** Most calls that wait for one whose number has not come. */
const WAITING_MAX = 500_000;
/** Ranges of missing numbers that are told. */
const RANGES_MAX = 10;
/** After this time what a gate has done is told and on the disk, as long as it lives. */
export const WRITTEN_MS = 5000;

/** Life and number of an order. */
export function placeOf(order: string): { life: string; number: number } {
  const [life, number] = order.split(":") as [string, string];
  return { life, number: Number(number) };
}

/** Of two calls of one life the earlier; calls of two lives tell nothing. */
function isBefore(one: string, other: string): boolean {
  const [a, b] = [placeOf(one), placeOf(other)];
  return a.life !== b.life || a.number < b.number;
}

/** One call of a store that a line tells of; without an order: it was not asked, or did not answer. */
interface Call {
  readonly order: string | undefined;
  readonly at_ms: number;
  readonly act: () => void;
}

/** The calls of a line, in the order in which its gate made them. */
function callsOf(event: LogEvent, place: LogPlace, turn: SharedTurn): Call[] {
  const { at: at_ms, order } = event;
  const own: Call = { order, at_ms, act: () => turn.play(event, place) };
  if (event.line === "end") {
    const back = event.freebie_returned;
    return back === undefined
      ? [own]
      : [own, { order: back, at_ms, act: () => turn.returnFreebie(event, place) }];
  }
  if (event.line !== "decision") return [own];
  const { freebie_read, freebie_counted, settled } = event;
  const [read, counted] = [() => turn.readFreebie(event, place), () => turn.countFreebie(event, place)];
  const settle = () => turn.settle(event, place);
  return [
    ...(freebie_read === undefined ? [] : [{ order: freebie_read, at_ms, act: read }]),
    own,
    ...(freebie_counted === undefined ? [] : [{ order: freebie_counted, at_ms, act: counted }]),
    ...(settled === undefined ? [] : [{ order: settled.order, at_ms: settled.at, act: settle }]),
  ];
}

/** One life of one shared store, as far as its logs tell of it. */
class StoreLife {
  readonly life: string;
  readonly store: AuditedStore = { machine: null };
  readonly steps = new NumberedSteps();
  /** Logs that tell of it, with the key that each was hashed with. */
  readonly logs = new Map<string, string>();
  /** Why nothing more of it can be judged; null: it can. */
  fault: string | null = null;

  constructor(life: string) {
    this.life = life;
  }

  /** Hashes of different keys do not tell which clients are the same. */
  heardFrom({ log, key }: LogHeader): void {
    this.logs.set(log, key);
    const keys = new Set(this.logs.values());
    if (this.logs.size > 1 && (keys.size > 1 || keys.has("random")))
      this.fault ??=
        "its logs hash the names of clients with different keys, so that nobody can tell which are the same; expected one log.key_file for all of its processes";
  }
}

const told = ([from, to]: NumberRange): string => (from === to ? `${from}` : `${from}–${to}`);

/**
 * Puts what the logs of several processes tell into the order in which their shared store was asked (G11, G12): by the
 * number that the server gave to each call. A number that no log has leaves everything after it unjudged.
 */
export class SharedStores {
  readonly #lives = new Map<string, StoreLife>();
  /** By version; what is live again after the server had lost it is published again. */
  readonly #published = new Map<number, unknown[]>();
  readonly #followed: Followed[] = [];
  readonly #now_ms: number | null;

  /** @param now_ms wall clock, where logs may still be written: what was done just now may be missing. Null: they may not */
  constructor(now_ms: number | null) {
    this.#now_ms = now_ms;
  }

  #of(life: string): StoreLife {
    let found = this.#lives.get(life);
    if (found === undefined) {
      found = new StoreLife(life);
      this.#lives.set(life, found);
    }
    return found;
  }

  /** The store that an order belongs to; none of what was asked of none. */
  readonly storeOf = (order: string | null): AuditedStore | null =>
    order === null ? null : this.#of(placeOf(order).life).store;

  /** What a log tells in its own order, handed on in that of the store; what was not asked of the store, at once. */
  inOrder(header: LogHeader, turn: SharedTurn): Turn<LogPlace> {
    return {
      play: (event, place) => {
        if (event.line === "publish") this.#learn({ event, place, turn });
        if (event.line === "tally" && event.after !== undefined)
          this.#after(event.after, header, () => turn.play(event, place));
        else this.#addAll(header, event, callsOf(event, place, turn));
      },
      // It has a place of its own among the calls of its decision.
      settle: () => {},
    };
  }

  /** Adds the calls of a line; what was not asked of the store comes with what came before it, or at once. */
  #addAll(header: LogHeader, event: LogEvent, calls: readonly Call[]): void {
    let last: { order: string; at_ms: number; acts: (() => void)[] } | null = null;
    const placed: { order: string; at_ms: number; acts: (() => void)[] }[] = [];
    for (const { order, at_ms, act } of calls) {
      if (order !== undefined) {
        if (last !== null && !isBefore(last.order, order))
          throw new Error(`call ${order} of the shared store stands before what it follows`);
        last = { order, at_ms, acts: [act] };
        placed.push(last);
      } else if (last === null) act();
      else last.acts.push(act);
    }
    for (const { order, at_ms, acts } of placed)
      this.#add(order, header, event, at_ms, () => {
        for (const act of acts) act();
      });
  }

  #learn(followed: Followed): void {
    const { event, turn } = followed;
    turn.learn(event);
    if (event.order === undefined) this.#followed.push(followed);
    else this.#published.set(event.version, [...(this.#published.get(event.version) ?? []), event.config]);
  }

  #add(order: string, header: LogHeader, event: LogEvent, at_ms: number, act: () => void): void {
    const { life, number } = placeOf(order);
    const one = this.#of(life);
    one.heardFrom(header);
    if (one.fault !== null) return;
    if (number === 1 && event.line !== "publish")
      throw new Error(`number 1 of shared store ${life} is no published snapshot`);
    if (!one.steps.add(number, at_ms, act))
      throw new Error(`number ${number} of shared store ${life} is told twice`);
    this.#run(one);
  }

  #after(order: string, header: LogHeader, act: () => void): void {
    const { life, number } = placeOf(order);
    const one = this.#of(life);
    one.heardFrom(header);
    // A count that is told late has nothing to be compared with any more; nothing that was done is missing by it.
    if (one.fault === null) one.steps.addAfter(number, act);
  }

  #run(one: StoreLife): void {
    try {
      one.steps.run();
    } catch (error) {
      one.fault ??= error instanceof Error ? error.message : String(error);
    }
    if (one.steps.waiting > WAITING_MAX) one.fault ??= this.#missing(one);
  }

  #missing({ steps }: StoreLife): string {
    const ranges = steps.missing();
    const list = ranges.slice(0, RANGES_MAX).map(told).join(", ");
    const more = ranges.length > RANGES_MAX ? " …" : "";
    return `of its calls, no log tells number ${list}${more}: a process whose log is not among these, or an answer that was lost; nothing after number ${steps.next - 1} was judged`;
  }

  /** Whether what waits was done so lately that what is missing may not be written yet. */
  #isBeingWritten({ steps }: StoreLife): boolean {
    return this.#now_ms !== null && steps.waiting_since_ms > this.#now_ms - WRITTEN_MS;
  }

  /** Nothing more comes: what could not be judged. */
  finish(): AuditGap[] {
    const gaps = this.#compareFollowed();
    for (const one of this.#lives.values()) {
      if (one.fault === null && one.steps.isWaiting && !this.#isBeingWritten(one))
        one.fault = this.#missing(one);
      if (one.fault !== null) gaps.push({ file: `shared store ${one.life}`, line: null, message: one.fault });
    }
    return gaps;
  }

  /** What a gate heard of must be what another one published (G8, G12). */
  #compareFollowed(): AuditGap[] {
    const gaps: AuditGap[] = [];
    for (const { event, place, turn } of this.#followed) {
      const published = this.#published.get(event.version);
      if (published === undefined)
        gaps.push({
          ...place,
          message: `version ${event.version} was published by a process whose log is not here`,
        });
      else if (!published.some((config) => isDeepStrictEqual(config, event.config)))
        turn.strayed(event, place, published[0]);
    }
    return gaps;
  }

  /** Each life, and how far it was judged. */
  get told(): AuditResult["stores"] {
    return [...this.#lives.values()].map(({ life, logs, steps }) => ({
      life,
      logs: logs.size,
      judged: steps.next - 1,
    }));
  }
}
