import type { GateEnd } from "../../../contract/gate-case.ts";
import type { Bucket } from "./bucket.ts";
import { trim } from "./room.ts";
import type { GateState } from "./state.ts";

/** A provisional admission, or one that has ended and is still remembered (G4). */
export interface Admission {
  readonly service: string;
  readonly rules: string[];
  readonly client: string;
  /** The buckets that were debited. Empty where only a freebie is held; such a one is in no ledger. */
  readonly taken: Bucket[];
  readonly freebie: GateState["freebies"][number] | null;
  readonly start_ms: number;
  readonly hold_ms: number;
  was: GateEnd | null;
  ended_ms: number;
}

/** Every admission that a label still stands for. */
export function admissionBook(state: GateState) {
  let pages: { label: string; admission: Admission }[] = [];

  const outstanding = () => pages.map(({ admission }) => admission).filter(({ was }) => was === null);
  const isHeld = (bucket: Bucket): boolean => outstanding().some(({ taken }) => taken.includes(bucket));

  /** Begins an admission; without a label it must be closed at once, and nothing of it is remembered. */
  function begin(label: string | null, begun: Omit<Admission, "was" | "ended_ms">): Admission {
    const admission: Admission = { ...begun, was: null, ended_ms: 0 };
    if (label !== null) pages.push({ label, admission });
    if (admission.taken.length > 0) {
      state.ledger.reserved += 1;
      state.ledger.outstanding += 1;
    }
    return admission;
  }

  /** Ends an admission. What a lowered bound left only because it was held goes now (G6, G8). */
  function close(admission: Admission, was: GateEnd, at_ms: number): void {
    admission.was = was;
    admission.ended_ms = at_ms;
    if (admission.taken.length === 0) return;
    state.ledger.outstanding -= 1;
    state.ledger[was] += 1;
    const service = state.config.services.find(({ name }) => name === admission.service);
    if (service !== undefined) trim(state, service, isHeld, at_ms);
  }

  /** Time has come to `now_ms`: what is due expires, each at its own time, and what ended long ago is forgotten (G4). */
  function moveOn(now_ms: number): void {
    const deadline = ({ start_ms, hold_ms }: Admission) => start_ms + hold_ms;
    const due = outstanding().filter((admission) => deadline(admission) <= now_ms);
    due.sort((a, b) => deadline(a) - deadline(b));
    for (const admission of due) close(admission, "expired", deadline(admission));
    pages = pages.filter(
      ({ admission: { was, ended_ms, hold_ms } }) => was === null || ended_ms + hold_ms > now_ms,
    );
  }

  const find = (label: string): Admission | undefined =>
    pages.find((page) => page.label === label)?.admission;

  return { isHeld, begin, close, moveOn, find };
}
