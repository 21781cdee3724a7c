import { GATE_REASONS, type GateReason } from "../../contract/gate-reasons.ts";
import type { GateDecision } from "../gate/decision.ts";
import type { Rule, Service } from "../gate/snapshot.ts";

/** Requests that something allowed and denied since the start. */
export interface Tally {
  allowed: number;
  denied: number;
}

/** Counts of one service (G10). Those of rules and expressions that are gone stay: counters never go back. */
export interface ServiceTally {
  /** By the expression of the rules that matched, `""` where a rule has none; one for each rule. */
  readonly patterns: Map<string, Tally>;
  /** By rule id; denied: by the rules that lacked a token. */
  readonly rules: Map<string, Tally>;
  readonly reasons: Record<GateReason, number>;
  /** Allowed without a look at a bucket, since the store could not be reached (`on_unavailable`, G12). */
  unchecked: number;
}

interface RuleTallies {
  readonly pattern: Tally;
  readonly rule: Tally;
}

function tallyAt(tallies: Map<string, Tally>, key: string): Tally {
  let tally = tallies.get(key);
  if (tally === undefined) {
    tally = { allowed: 0, denied: 0 };
    tallies.set(key, tally);
  }
  return tally;
}

/**
 * Counts decisions in plain numbers, which the metrics read when they are asked for (G10): a decision costs a look-up
 * for each rule, not one in a registry for each metric.
 */
export class Tallies {
  readonly services = new Map<string, ServiceTally>();
  readonly #ofRule = new WeakMap<Rule, RuleTallies>();

  /** Makes the counts of a snapshot's services and rules, so that they are shown as 0 before the first request. */
  open(services: readonly Service[]): void {
    for (const service of services) for (const rule of service.rules) this.#tallies(service, rule);
    for (const { name } of services) this.#service(name);
  }

  #service(name: string): ServiceTally {
    let tally = this.services.get(name);
    if (tally === undefined) {
      const reasons = Object.fromEntries(GATE_REASONS.map((reason) => [reason, 0]));
      tally = {
        patterns: new Map(),
        rules: new Map(),
        reasons: reasons as Record<GateReason, number>,
        unchecked: 0,
      };
      this.services.set(name, tally);
    }
    return tally;
  }

  #tallies(service: Service, rule: Rule): RuleTallies {
    let known = this.#ofRule.get(rule);
    if (known === undefined) {
      const { patterns, rules } = this.#service(service.name);
      known = { pattern: tallyAt(patterns, rule.pattern), rule: tallyAt(rules, rule.id) };
      this.#ofRule.set(rule, known);
    }
    return known;
  }

  /** Counts one decision. Only what was allowed or denied counts: a challenge spends nothing and is no verdict of rules. */
  count({ verdict, service, rules, lacking, reason, unchecked }: GateDecision): void {
    if (service === null) return;
    if (unchecked) this.#service(service.name).unchecked += 1;
    if (verdict === "allowed")
      for (const rule of rules) {
        const tallies = this.#tallies(service, rule);
        tallies.pattern.allowed += 1;
        tallies.rule.allowed += 1;
      }
    else if (verdict === "denied") {
      this.#service(service.name).reasons[reason!] += 1;
      for (const rule of rules) this.#tallies(service, rule).pattern.denied += 1;
      for (const rule of lacking) this.#tallies(service, rule).rule.denied += 1;
    }
  }
}
