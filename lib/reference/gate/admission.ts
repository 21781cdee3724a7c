import type { GateEnd } from "../../../contract/gate-reasons.ts";
import { Agenda } from "./agenda.ts";
import type { Bucket } from "./bucket.ts";
import { trim } from "./room.ts";
import type { FreebieCount, GateState } from "./state.ts";

/** Under what an admission is kept. A symbol is not what anybody could write. */
export type Label = string | symbol;

/** A provisional admission, or one that has ended and is still remembered (G4). */
export interface Admission {
  readonly label: Label;
  readonly service: string;
  readonly rules: string[];
  readonly client: string;
  /** The buckets that were debited. Empty where only a freebie is held; such a one is in no ledger. */
  readonly taken: Bucket[];
  readonly freebie: FreebieCount | null;
  readonly hold_ms: number;
  /** When it expires or, once it has ended, is forgotten. */
  due_ms: number;
  was: GateEnd | null;
}

/** Every admission that a label still stands for. */
export function admissionBook(state: GateState) {
  const pages = new Map<Label, Admission>();
  /** When each expires or, once it has ended, is forgotten; what is overtaken by its end stays until its time, unheeded. */
  const agenda = new Agenda<{ admission: Admission; was: GateEnd | null }>();

  /** Begins an admission, which is remembered under its label until it was closed and its time is over. */
  function begin(begun: Omit<Admission, "was">): void {
    resume({ ...begun, was: null });
    if (begun.taken.length > 0) {
      state.ledger.reserved += 1;
      state.ledger.outstanding += 1;
    }
  }

  /** Writes down an admission that was begun, and perhaps ended, before this book: no ledger counts it again. */
  function resume(admission: Admission): void {
    const { label, due_ms, was, taken } = admission;
    pages.set(label, admission);
    agenda.add(due_ms, { admission, was });
    for (const bucket of taken) bucket.holds += 1;
  }

  /** Ends an admission. What a lowered bound left only because it was held goes now (G6, G8). */
  function close(admission: Admission, was: GateEnd, at_ms: number): void {
    admission.was = was;
    admission.due_ms = at_ms + admission.hold_ms;
    agenda.add(admission.due_ms, { admission, was });
    if (admission.taken.length === 0) return;
    for (const bucket of admission.taken) bucket.holds -= 1;
    state.ledger.outstanding -= 1;
    state.ledger[was] += 1;
    const service = state.config.services.find(({ name }) => name === admission.service);
    if (service !== undefined) trim(state, service, at_ms);
  }

  /** Its label stands for nothing any more. */
  function forget(admission: Admission): void {
    if (pages.get(admission.label) === admission) pages.delete(admission.label);
  }

  /** Time has come to `now_ms`: what is due expires, each at its own time, and what ended long ago is forgotten (G4). */
  function moveOn(now_ms: number): void {
    for (let due = agenda.takeDue(now_ms); due !== null; due = agenda.takeDue(now_ms)) {
      const { admission, was } = due.what;
      if (was !== null) forget(admission);
      else if (admission.was === null) close(admission, "expired", due.at_ms);
    }
  }

  return {
    begin,
    resume,
    close,
    moveOn,
    find: (label: Label) => pages.get(label),
    all: () => pages.values(),
  };
}
