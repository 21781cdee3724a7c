import type { Level } from "../gate/bucket.ts";
import type { Rule } from "../gate/snapshot.ts";

/** Largest whole number of a structured field. */
const INTEGER_MAX = 999_999_999_999_999;

/**
 * A rule's id as the name of its policy. A String of structured fields holds only visible ASCII and spaces: whatever
 * else an id holds is percent-encoded, and the percent sign with it, so that different ids stay different.
 */
export function policyName(id: string): string {
  return id.replace(/[^\x20-\x7e]|%/gu, (character) => encodeURIComponent(character));
}

const names = new WeakMap<Rule, string>();

/** The name of a rule's policy as a String of structured fields; remembered, since it goes with every answer. */
function quoted(rule: Rule): string {
  let name = names.get(rule);
  if (name === undefined) {
    name = `"${policyName(rule.id).replace(/["\\]/g, "\\$&")}"`;
    names.set(rule, name);
  }
  return name;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
const integer = (value: number): number => Math.min(value, INTEGER_MAX);

/**
 * One rule as a quota policy: `requests` in a window of whole seconds. A window that is no whole number of seconds is
 * multiplied until it is, with its quota: 100 per 250 ms are 400 per second. A burst of its own is a parameter of its
 * own, as the draft proposes (`acme-burst`).
 */
function policyItem(rule: Rule): string {
  const { requests, per_ms, burst } = rule;
  const times = 1000 / gcd(per_ms, 1000);
  const own = burst === requests ? "" : `;tenantthrottle-burst=${integer(burst)}`;
  return `${quoted(rule)};q=${integer(requests * times)};w=${(per_ms * times) / 1000}${own}`;
}

const policies = new WeakMap<readonly Rule[], string>();

/** `RateLimit-Policy` of the rules that matched (draft-ietf-httpapi-ratelimit-headers-10 §3); remembered for a list. */
export function policyField(rules: readonly Rule[]): string {
  let field = policies.get(rules);
  if (field === undefined) {
    field = rules.map(policyItem).join(", ");
    policies.set(rules, field);
  }
  return field;
}

/** What is left of a rule: of a bucket, or of a rule of which the client has none yet, which is a full one (G4). */
interface Left {
  readonly rule: Rule;
  readonly tokens: number;
  /** Milliseconds until it is full. */
  readonly full_ms: number;
  /** Milliseconds until it holds one token more; null where it is full. */
  readonly next_ms: number | null;
}

const isTighter = (a: Left, b: Left): boolean =>
  a.tokens !== b.tokens ? a.tokens < b.tokens : a.full_ms > b.full_ms;

/** The tightest rule (G9): fewest whole tokens left, then longest until full, then order. */
function tightest(rules: readonly Rule[], levels: readonly Level[]): Left {
  let found: Left | undefined;
  let next = 0;
  for (const rule of rules) {
    const level = levels[next]?.rule.id === rule.id ? levels[next++] : undefined;
    const left: Left = level ?? { rule, tokens: rule.burst, full_ms: 0, next_ms: null };
    if (found === undefined || isTighter(left, found)) found = left;
  }
  return found!;
}

/**
 * `RateLimit` of the tightest rule (draft §4). `t` is the time until one more request is possible, in whole seconds
 * rounded up: the draft's "until additional quota is made available", which with it is never later than Retry-After.
 * `levels` are of `rules`, in their order, but may lack some. At least one rule.
 */
export function limitField(rules: readonly Rule[], levels: readonly Level[]): string {
  const { rule, tokens, next_ms } = tightest(rules, levels);
  const wait = next_ms === null ? "" : `;t=${integer(Math.ceil(next_ms / 1000))}`;
  return `${quoted(rule)};r=${integer(tokens)}${wait}`;
}

/** `RateLimit` where nobody knows what is left, since the store was not reached: nothing, for the first rule. */
export const unknownLimitField = (rules: readonly Rule[]): string => `${quoted(rules[0]!)};r=0`;
