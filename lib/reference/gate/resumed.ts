import type { LogState } from "../../../contract/decision-log.ts";
import type { GateRule } from "../../../contract/gate-config.ts";
import type { admissionBook } from "./admission.ts";
import { type Bucket, setBalance } from "./bucket.ts";
import { type Fraction, fraction, whole } from "./fraction.ts";
import type { FreebieCount, GateState } from "./state.ts";

/** What a machine is made of. */
export interface MachineParts {
  readonly state: GateState;
  readonly book: ReturnType<typeof admissionBook>;
  readonly freebiesOf: (service: string, client: string) => FreebieCount;
}

/** The quotient that a text tells, such as `7/3`. */
export function quotientOf(text: string): Fraction {
  const [n, d] = text.split("/") as [string, string];
  return fraction(BigInt(n), BigInt(d));
}

/**
 * Makes a new machine what a gate states that it is (G11). A balance above its burst is cut. Throws where something is
 * stated of what the live snapshot does not have, or twice.
 */
export function resume(claim: LogState, parts: MachineParts): void {
  const { state, freebiesOf } = parts;
  Object.assign(state.ledger, claim.ledger);
  Object.assign(state.evictions, claim.evictions);
  for (const stated of bucketsIn(claim, state)) put(stated, state);
  for (const admission of claim.admissions) hold(admission, parts);
  for (const { service, rows } of claim.freebies)
    for (const [client, count] of rows) freebiesOf(service, client).count = count;
}

interface Stated {
  readonly service: string;
  readonly client: string;
  readonly rule: GateRule;
  readonly place: number;
  readonly balance: Fraction;
  readonly last_ms: number;
  readonly used: number;
}

/** Every stated bucket in the order of use, ties by the order of the rules (G6). */
function bucketsIn(claim: LogState, { config }: GateState): Stated[] {
  const all = claim.buckets.flatMap(({ service, rows }) => {
    const rules = config.services.find(({ name }) => name === service)?.rules ?? [];
    const places = new Map(rules.map(({ id }, place) => [id, place]));
    return rows.map(([client, id, balance, last_ms, used]): Stated => {
      const place = places.get(id);
      if (place === undefined) throw new Error(`a bucket of a rule that is not live is stated: ${id}`);
      return { service, client, rule: rules[place]!, place, balance: quotientOf(balance), last_ms, used };
    });
  });
  return all.sort((a, b) => a.used - b.used || a.place - b.place);
}

function put({ service, client, rule, balance, last_ms, used }: Stated, state: GateState): void {
  if (state.buckets.find(service, rule.id, client) !== undefined)
    throw new Error(`a bucket is stated twice: ${rule.id} of ${client}`);
  const bucket = bucketOf(service, rule.id, client);
  Object.assign(bucket, { last_ms, used });
  setBalance(bucket, rule, balance);
  state.buckets.put(bucket);
  state.buckets.touch([bucket]);
  state.requests = Math.max(state.requests, used);
}

const bucketOf = (service: string, rule: string, client: string): Bucket => ({
  ...{ service, rule, client, balance: whole(0), last_ms: 0, used: 0, holds: 0, full_ms: 0 },
});

function hold(stated: LogState["admissions"][number], { state, book, freebiesOf }: MachineParts): void {
  const { hold: label, service, client, rules, taken, gone, freebie, ...times } = stated;
  if (times.was !== null && taken.length + gone.length > 0)
    throw new Error(`an admission that has ended is stated to hold something: ${label}`);
  if (book.find(label) !== undefined) throw new Error(`an admission is stated twice: ${label}`);
  const held = taken.map((rule) => {
    const bucket = state.buckets.find(service, rule, client);
    if (bucket === undefined) throw new Error(`an admission holds a bucket that is not stated: ${rule}`);
    return bucket;
  });
  // What is gone with its rule still counts as taken; what is given back to it is given to nobody (G8).
  const lost = gone.map((rule) => bucketOf(service, rule, client));
  book.resume({
    ...{ label, service, rules, client, taken: [...held, ...lost], ...times },
    freebie: freebie ? freebiesOf(service, client) : null,
  });
}
