import type { GateState } from "../../contract/gate-admin.ts";

/** Requests a second that a rule allowed and denied between two looks at the gate. */
export interface RateSample {
  readonly at_ms: number;
  readonly allowed: number;
  readonly denied: number;
}

/** Most looks that are remembered: ten minutes at two seconds. */
const REMEMBERED = 300;

/** Adds a look at the gate; one before it started anew is of no use beside one after it. */
export function withLook(looks: readonly GateState[], state: GateState): readonly GateState[] {
  const last = looks.at(-1);
  if (last !== undefined && state.now_ms <= last.now_ms) return looks;
  const kept = last !== undefined && last.started_ms !== state.started_ms ? [] : looks;
  return [...kept, state].slice(-REMEMBERED);
}

const countsOf = (state: GateState, service: string, rule: string) =>
  state.services.find(({ name }) => name === service)?.rules.find(({ id }) => id === rule);

/** The rates of a rule between each two looks at which it was there. */
export function ratesOf(looks: readonly GateState[], service: string, rule: string): RateSample[] {
  const samples: RateSample[] = [];
  for (const [index, state] of looks.entries()) {
    const before = looks[index - 1];
    const [was, is] = [before && countsOf(before, service, rule), countsOf(state, service, rule)];
    if (before === undefined || was === undefined || is === undefined) continue;
    const seconds = (state.now_ms - before.now_ms) / 1000;
    samples.push({
      at_ms: state.now_ms,
      allowed: (is.allowed - was.allowed) / seconds,
      denied: (is.denied - was.denied) / seconds,
    });
  }
  return samples;
}
