import type { LogState } from "../../../contract/decision-log.ts";
import type { GateConfig, GateRule, GateService } from "../../../contract/gate-config.ts";
import type { GateEnd, GateReason } from "../../../contract/gate-reasons.ts";
import { type Admission, admissionBook, type Label } from "./admission.ts";
import {
  type Bucket,
  balanceAt,
  debit,
  giveBack,
  lacksToken,
  rateOf,
  refill,
  setBalance,
  waitOf,
} from "./bucket.ts";
import { less, nearestDouble, whole } from "./fraction.ts";
import { resume } from "./resumed.ts";
import { makeRoom, trim } from "./room.ts";
import { Shelf } from "./shelf.ts";
import type { FreebieCount, GateState } from "./state.ts";

/** One request whose service, rules and client are known (G2, G3). */
export interface Demand {
  readonly at_ms: number;
  readonly service: GateService;
  readonly rules: GateRule[];
  readonly client: string;
  /** The label under which the admission stays provisional; null: it is committed at once (G4). */
  readonly label: Label | null;
  readonly hold_ms: number;
  /** The client's free requests, one of which the admission holds (G7). */
  readonly freebie: FreebieCount | null;
}

/** Rule ids with balances, the double nearest to each exact value; in the order of the rules. */
export type Balances = [rule: string, balance: number][];

/** What a demand came to (G4, G6). */
export type Admitted =
  | { readonly ok: true; readonly taken: number; readonly balances: Balances }
  | {
      readonly ok: false;
      readonly reason: Extract<GateReason, "rate" | "capacity">;
      readonly denied_by: string[];
      readonly retry_after_ms: number | null;
      readonly balances: Balances;
    };

/** What ending an admission came to (G4). */
export type MachineEnd =
  | {
      readonly ended: "committed" | "cancelled";
      readonly balances: Balances;
      /** What the admission held of free requests. */
      readonly freebie: FreebieCount | null;
    }
  | { readonly ended: "already"; readonly was: GateEnd }
  | { readonly ended: "unknown" };

/** Where an end found nothing to end, nothing is shown. */
export const balancesOf = (found: MachineEnd): Balances => ("balances" in found ? found.balances : []);

export type Machine = ReturnType<typeof machine>;

/** The gate as the text has it, by exact rationals (G4–G8). `first`: the configuration in normal form. */
export function machine(first: GateConfig, version = 1) {
  const state: GateState = {
    config: first,
    version,
    buckets: new Shelf(),
    requests: 0,
    ledger: { reserved: 0, committed: 0, cancelled: 0, expired: 0, outstanding: 0 },
    evictions: { full: 0, lossy: 0 },
  };
  const book = admissionBook(state);
  const freebies = new Map<string, Map<string, FreebieCount>>();

  const serviceOf = (name: string, config = state.config): GateService | undefined =>
    config.services.find((one) => one.name === name);
  const ruleOf = (bucket: Bucket, config = state.config): GateRule | undefined =>
    serviceOf(bucket.service, config)?.rules.find(({ id }) => id === bucket.rule);

  /** A client's free requests so far; they outlive updates (G8). */
  function freebiesOf(service: string, client: string): FreebieCount {
    const clients = freebies.get(service) ?? new Map<string, FreebieCount>();
    freebies.set(service, clients);
    const known = clients.get(client) ?? { count: 0 };
    clients.set(client, known);
    return known;
  }

  /** Every count of free requests. */
  function* counts(): Generator<{ service: string; client: string; count: number }> {
    for (const [service, clients] of freebies)
      for (const [client, { count }] of clients) yield { service, client, count };
  }

  /** The rules by which the buckets live on: those of now, of a request that began under an earlier snapshot too (G8). */
  function livingRules({ service, rules }: Demand): { service: GateService; rules: GateRule[] } {
    const living = serviceOf(service.name);
    return {
      service: living ?? service,
      rules: rules.flatMap(({ id }) => living?.rules.find((rule) => rule.id === id) ?? []),
    };
  }

  /** G4 and G6: all matching rules as one unit. */
  function admit(demand: Demand): Admitted {
    const { client, at_ms } = demand;
    book.moveOn(at_ms);
    const { service, rules } = livingRules(demand);
    state.requests += 1;
    const own: Bucket[] = [];
    const lacking: { rule: GateRule; wait: number }[] = [];
    for (const rule of rules) {
      const bucket = state.buckets.find(service.name, rule.id, client);
      if (bucket === undefined) continue;
      refill(bucket, rule, at_ms);
      bucket.used = state.requests;
      own.push(bucket);
      if (lacksToken(bucket)) lacking.push({ rule, wait: waitOf(bucket, rule) });
    }
    state.buckets.touch(own);
    if (lacking.length > 0) {
      const denied_by = lacking.map(({ rule }) => rule.id);
      const retry_after_ms = Math.max(...lacking.map(({ wait }) => wait));
      return {
        ok: false,
        reason: "rate",
        denied_by,
        retry_after_ms,
        balances: balances(service, rules, demand),
      };
    }
    const missing = rules.length - own.length;
    if (missing > 0 && !makeRoom(state, service, missing, own, at_ms))
      return {
        ...{ ok: false, reason: "capacity", denied_by: [], retry_after_ms: null },
        balances: balances(service, rules, demand),
      };
    const taken = rules.map(
      (rule) => state.buckets.find(service.name, rule.id, client) ?? open(service, rule, demand),
    );
    for (const [index, bucket] of taken.entries()) debit(bucket, rules[index]!);
    state.buckets.touch(taken);
    keep(demand, taken);
    return { ok: true, taken: taken.length, balances: balances(service, rules, demand) };
  }

  /** Where neither a token nor a freebie is at stake, there is no admission that a label could stand for (G4). */
  function keep(demand: Demand, taken: Bucket[]): void {
    const { service, rules, client, label, freebie, at_ms, hold_ms } = demand;
    if (taken.length === 0 && freebie === null) return;
    if (label === null) {
      if (taken.length > 0) state.ledger.reserved += 1;
      if (taken.length > 0) state.ledger.committed += 1;
      return;
    }
    const ids = rules.map(({ id }) => id);
    book.begin({
      label,
      service: service.name,
      rules: ids,
      client,
      taken,
      freebie,
      due_ms: at_ms + hold_ms,
      hold_ms,
    });
  }

  /** A new bucket is full (G4). */
  function open(service: GateService, rule: GateRule, { client, at_ms }: Demand): Bucket {
    const bucket: Bucket = {
      service: service.name,
      rule: rule.id,
      client,
      balance: whole(rule.burst),
      last_ms: at_ms,
      used: state.requests,
      holds: 0,
      full_ms: 0,
    };
    state.buckets.put(bucket);
    return bucket;
  }

  function balances(
    service: GateService,
    rules: GateRule[],
    { client, at_ms }: { client: string; at_ms: number },
  ): Balances {
    return rules.flatMap((rule): Balances => {
      const bucket = state.buckets.find(service.name, rule.id, client);
      return bucket === undefined ? [] : [[rule.id, nearestDouble(balanceAt(bucket, rule, at_ms))]];
    });
  }

  /** G4: once; under the rules of now, in the buckets that live on (G8). A cancel gives the freebie back (G7). */
  function end(label: string, how: "committed" | "cancelled", at_ms: number): MachineEnd {
    const found = settle(label, how, at_ms);
    if (found.ended === "cancelled" && found.freebie !== null) giveFreebieBack(found.freebie);
    return found;
  }

  /** The same for an admission whose freebie was just counted, or was not. */
  function settle(label: Label, how: "committed" | "cancelled", at_ms: number): MachineEnd {
    book.moveOn(at_ms);
    const admission = book.find(label);
    if (admission === undefined) return { ended: "unknown" };
    if (admission.was !== null) return { ended: "already", was: admission.was };
    if (how === "cancelled") giveTokensBack(admission, at_ms);
    book.close(admission, how, at_ms);
    const service = serviceOf(admission.service);
    const { freebie } = admission;
    if (service === undefined) return { ended: how, balances: [], freebie };
    const rules = service.rules.filter(({ id }) => admission.rules.includes(id));
    return { ended: how, balances: balances(service, rules, { client: admission.client, at_ms }), freebie };
  }

  function giveTokensBack(admission: Admission, now_ms: number): void {
    for (const bucket of admission.taken) {
      const rule = ruleOf(bucket);
      // What is given to a bucket of a rule that was away is given to nobody: the rule has new buckets.
      if (rule === undefined) continue;
      refill(bucket, rule, now_ms);
      giveBack(bucket, rule);
    }
  }

  /** G8: what lives on keeps its balance, earned at the rate of then and cut to the burst of now. */
  function publish(config: GateConfig, at_ms: number): void {
    book.moveOn(at_ms);
    for (const bucket of [...state.buckets]) {
      const before = ruleOf(bucket)!;
      const after = ruleOf(bucket, config);
      if (after === undefined) state.buckets.remove(bucket);
      else if (!fillAlike(before, after)) {
        refill(bucket, before, at_ms);
        setBalance(bucket, after, bucket.balance);
      }
    }
    state.config = config;
    state.version += 1;
    for (const service of config.services) {
      const place = new Map(service.rules.map(({ id }, index) => [id, index]));
      state.buckets.reorder(
        service.name,
        (a, b) => a.used - b.used || place.get(a.rule)! - place.get(b.rule)!,
      );
      trim(state, service, at_ms);
    }
  }

  return {
    admit,
    end,
    settle,
    publish,
    moveOn: book.moveOn,
    freebiesOf,
    /** Makes it, as long as it is new, what a gate states that it is (G11). */
    resume: (claim: LogState) => resume(claim, { state, book, freebiesOf }),
    admissions: book.all,
    freebies: counts,
    state: (): Readonly<GateState> => state,
  };
}

/** A free request is given back, never below none (G7). */
export function giveFreebieBack(freebie: FreebieCount): void {
  freebie.count = Math.max(0, freebie.count - 1);
}

/** Whether going from one rule to the other changes no balance (G8). */
const fillAlike = (before: GateRule, after: GateRule): boolean =>
  before.burst === after.burst &&
  !less(rateOf(before), rateOf(after)) &&
  !less(rateOf(after), rateOf(before));
